import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

/** An emulator started as a user starts it, and calls as a user makes them. */
export interface Running {
  url: string;
  baseUrl: string;
  webhookPublicKey: string;
  call(
    method: string,
    path: string,
    body?: object | FormData,
    headers?: Record<string, string>,
    // biome-ignore lint/suspicious/noExplicitAny: a journey says what it expects of a reply, line by line
  ): Promise<{ status: number; body: any }>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  control(method: string, path: string, body?: object): Promise<{ status: number; body: any }>;
}

/** Run `bin/sandbox-emulator.js` on a free port until the test is over. */
export const commandLine = (...flags: string[]): Promise<Running> => commandLineWith({}, ...flags);

/** The same with variables of the environment. */
export async function commandLineWith(env: Readonly<Record<string, string>>, ...flags: string[]): Promise<Running> {
  const child = spawn(
    process.execPath,
    ['bin/sandbox-emulator.js', '--port', '0', '--json', '--parent-watch', ...flags],
    {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  onTestFinished(() => {
    child.kill();
  });
  const ready = await new Promise<Pick<Running, 'url' | 'baseUrl' | 'webhookPublicKey'>>((resolve, reject) => {
    createInterface(child.stdout).once('line', (line) => resolve(JSON.parse(line)));
    child.once('exit', (code) => reject(new Error(`the emulator ended with ${code}`)));
  });
  const send = async (url: string, method: string, body: object | FormData | undefined, headers: object) => {
    const form = body instanceof FormData;
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(body && !form ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: form ? body : JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const authorization = `Basic ${Buffer.from('test:secret').toString('base64')}`;
  return {
    ...ready,
    call: (method, path, body, headers) => send(`${ready.baseUrl}${path}`, method, body, { authorization, ...headers }),
    control: (method, path, body) => send(`${ready.url}/_emulator${path}`, method, body, {}),
  };
}
