// node tools/executable/try.mjs <command ...>: tries an emulator on the system that this runs on, be it an executable, the package, or
// either under qemu: its version, a start, a call, an orderly end that saves, and a start from what was saved.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Names a customer in letters that a file must keep on every system. */
const ADA = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller-Šimek 李' };

/** Tries a command. Returns its version; throws at the first thing that is not as it should be. */
export async function tryEmulator(command, env = process.env) {
  const [file, ...before] = command;
  const { status, stdout, stderr } = spawnSync(file, [...before, 'version'], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`version ended with ${status}: ${stderr}`);
  const folder = mkdtempSync(join(tmpdir(), 'sandbox emulator-'));
  const state = join(folder, 'state.json');
  try {
    const first = await start(command, state, env);
    const made = await first.call('POST', '/customers', ADA);
    if (made.status !== 201) throw new Error(`a customer was answered with ${made.status}`);
    await first.end();
    if (!readFileSync(state, 'utf8').includes(ADA.fullName))
      throw new Error('the state was saved without the customer');
    const second = await start(command, state, env);
    const { data } = (await second.call('GET', '/customers')).body;
    await second.end();
    if (data.length !== 1 || data[0].fullName !== ADA.fullName)
      throw new Error(`it came back with ${JSON.stringify(data)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return stdout.trim();
}

/** Starts it; `end` closes its stdin, which stops it in order where there are no signals, too. */
async function start([file, ...before], state, env) {
  const flags = ['--port', '0', '--json', '--log', 'off', '--state', state, '--parent-watch'];
  const child = spawn(file, [...before, ...flags], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((done) => child.once('close', (code, signal) => done(code ?? signal)));
  const ready = await new Promise((done, refuse) => {
    let text = '';
    child.once('error', refuse);
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) done(JSON.parse(text.slice(0, text.indexOf('\n'))));
    });
    void ended.then((how) => refuse(new Error(`it ended with ${how} before it was ready`)));
  });
  const { id, secret } = ready.credentials;
  const headers = { authorization: `Basic ${btoa(`${id}:${secret}`)}`, 'content-type': 'application/json' };
  return {
    async call(method, path, body) {
      const answer = await fetch(`${ready.baseUrl}${path}`, { method, headers, body: body && JSON.stringify(body) });
      return { status: answer.status, body: await answer.json() };
    },
    async end() {
      child.stdin.end();
      const how = await ended;
      if (how !== 0) throw new Error(`it ended with ${how}`);
    },
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [file, ...rest] = process.argv.slice(2);
  const version = await tryEmulator(file === 'node' ? [process.execPath, ...rest] : [resolve(file), ...rest]);
  console.log(`${version}: says its version, starts, answers, saves, ends, and goes on from there`);
}
