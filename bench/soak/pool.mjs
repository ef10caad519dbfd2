// A client that costs little: requests over kept connections, as many at a time as there are connections, the rest in order.
import { connect } from 'node:net';

/** The emulator closes what was idle for 65 seconds. */
const IDLE_MS = 60_000;

/** Makes requests to one server; `ask` resolves with status, text, and the milliseconds since it was due. */
export class Pool {
  #host;
  #connections;
  #free = [];
  #open = 0;
  #waiting = [];

  constructor(url, connections) {
    const { hostname, port, host } = new URL(url);
    this.#host = { hostname, port, host };
    this.#connections = connections;
  }

  /** How many requests wait for a connection. */
  get waiting() {
    return this.#waiting.length;
  }

  /** `due` is when it should have been sent: what waits for a connection counts too. */
  ask(method, path, { authorization, body, due = performance.now() } = {}) {
    const text = body === undefined ? '' : JSON.stringify(body);
    const head =
      `${method} ${path} HTTP/1.1\r\nhost: ${this.#host.host}\r\n` +
      (authorization ? `authorization: ${authorization}\r\n` : '') +
      (method === 'GET' ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`);
    return new Promise((resolve) => {
      this.#waiting.push({ bytes: `${head}\r\n${text}`, resolve, due, what: `${method} ${path}` });
      this.#next();
    });
  }

  #next() {
    if (this.#waiting.length === 0) return;
    let connection = this.#free.pop();
    while (connection && (connection.ended || performance.now() - connection.since > IDLE_MS)) {
      connection.socket.destroy();
      connection = this.#free.pop();
    }
    if (!connection && this.#open >= this.#connections) return;
    connection ??= this.#connect();
    connection.current = this.#waiting.shift();
    connection.socket.write(connection.current.bytes);
  }

  #connect() {
    const { hostname, port } = this.#host;
    const socket = connect({ host: hostname, port, noDelay: true });
    const connection = { socket, held: '', current: undefined, ended: false, since: 0 };
    this.#open += 1;
    socket.setEncoding('latin1').on('data', (part) => {
      connection.held += part;
      const answer = answerOf(connection.held);
      if (answer) this.#answered(connection, answer);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      connection.ended = true;
      this.#open -= 1;
      if (connection.current) this.#lost(connection);
      this.#next();
    });
    return connection;
  }

  /** A kept connection may be closed by the server in the very moment in which it is used again: then another takes over. */
  #lost(connection) {
    const { current } = connection;
    if (connection.held !== '' || connection.since === 0 || current.again)
      return this.#answered(connection, { status: 0, text: 'the connection was closed' });
    connection.current = undefined;
    this.#waiting.unshift({ ...current, again: true });
  }

  #answered(connection, { status, text }) {
    const { resolve, due, what } = connection.current;
    connection.current = undefined;
    connection.held = '';
    connection.since = performance.now();
    if (!connection.ended) this.#free.push(connection);
    resolve({ status, text, ms: connection.since - due, what });
    this.#next();
  }
}

/** Status and body as bytes, or undefined while some is missing. Lengths count bytes, so text is read as latin1. */
function answerOf(text) {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = text.slice(0, end);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  const status = Number(head.slice(9, 12));
  if (length !== undefined) {
    const whole = end + 4 + Number(length);
    return text.length >= whole ? { status, text: text.slice(end + 4, whole) } : undefined;
  }
  if (/\r\ntransfer-encoding: chunked/i.test(head))
    return text.endsWith('\r\n0\r\n\r\n') ? { status, text: text.slice(end + 4) } : undefined;
  return { status, text: '' };
}
