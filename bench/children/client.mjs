// node client.mjs '{"url","seconds","authorization","steps":[{"method","path","body"}]}': 10 connections at full speed, one
// request at a time each; prints {rate, requests, p99Ms}, a request being all steps in turn. Ends with 1 on a refusal.
import { connect } from 'node:net';

const { url, seconds, authorization, steps } = JSON.parse(process.argv[2]);
const { hostname, port, host } = new URL(url);
const CONNECTIONS = 10;
const texts = steps.map(({ method, path, body }) => {
  const text = body === undefined ? '' : JSON.stringify(body);
  const content = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`;
  return (id) =>
    `${method} ${path.replace('{id}', id)} HTTP/1.1\r\nhost: ${host}\r\nauthorization: ${authorization}\r\n${method === 'POST' ? content : ''}\r\n${text}`;
});

const took = [];
const until = performance.now() + seconds * 1000;
const began = performance.now();

function refuse(why) {
  console.error(why);
  process.exit(1);
}

/** The answer whole, or undefined while some of it is missing. */
function answerOf(text) {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? refuse(`no length:\n${text}`));
  return text.length >= end + 4 + length ? text : undefined;
}

const work = () =>
  new Promise((resolve) => {
    const socket = connect({ host: hostname, port, noDelay: true });
    let held = '';
    let step = 0;
    let started = performance.now();
    // Bytes as they are: lengths count bytes, and ids are ASCII.
    socket.setEncoding('latin1').on('data', (part) => {
      held += part;
      const answer = answerOf(held);
      if (!answer) return;
      held = '';
      if (answer[9] !== '2') refuse(answer.slice(0, 2000));
      step = (step + 1) % steps.length;
      if (step === 0) {
        const now = performance.now();
        took.push(now - started);
        started = now;
        if (now >= until) return resolve(socket.destroy());
      }
      socket.write(texts[step](step === 0 ? '' : /"id":"([^"]+)"/.exec(answer)?.[1]));
    });
    socket.on('error', (error) => refuse(String(error)));
    socket.write(texts[0](''));
  });

await Promise.all(Array.from({ length: CONNECTIONS }, work));
took.sort((a, b) => a - b);
const rate = took.length / ((performance.now() - began) / 1000);
console.log(JSON.stringify({ rate, requests: took.length, p99Ms: took[Math.floor(took.length * 0.99)] }));
