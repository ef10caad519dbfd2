import { type ChildProcess, spawn } from 'node:child_process';
import { isLoopback } from '../contract/address.ts';
import { clearReal, realTimeout } from '../engine/timers.ts';
import { type Backend, type Reply, Unable } from './types.ts';

/**
 * Real milliseconds for a call of the backend: more than a reply is held back, or its end would look like a timeout.
 */
const LONGEST_MS = 60_000;
/** The most characters of a reply that are read. */
const LONGEST_TEXT = 65_536;

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/** Returns the backend behind commands or URLs. Throws `Unable` for a malformed URL, or one beyond this machine. */
export function backendAt(pay: string, ask: string | undefined, allowsRemote: boolean): Backend {
  const running = new Set<ChildProcess>();
  checkUrl('--pay', pay, allowsRemote);
  if (ask !== undefined) checkUrl('--ask', ask.replaceAll('{reference}', 'x'), allowsRemote);
  if (ask !== undefined && isUrl(ask) && !ask.includes('{reference}'))
    throw new Unable('--ask is a URL without {reference}, so that it would ask about no payment');
  return {
    pay: (reference, check) =>
      isUrl(pay)
        ? call(pay, { method: 'POST', body: JSON.stringify({ reference, check }) })
        : run(pay, reference, check, running),
    ask:
      ask === undefined
        ? undefined
        : (reference, check) =>
            isUrl(ask)
              ? call(ask.replaceAll('{reference}', encodeURIComponent(reference)), { method: 'GET' })
              : run(ask, reference, check, running),
    end: () => {
      for (const child of running) endGroup(child);
    },
  };
}

/** Refuses a URL that is not of HTTP or is malformed, or whose host is beyond this machine unless that is allowed. */
export function checkUrl(what: string, text: string, allowsRemote: boolean): void {
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(text) ?? [];
  if (scheme !== undefined && !isUrl(text))
    throw new Unable(`${what} begins with ${scheme}://, which cannot be called: use http, https or a command`);
  if (!isUrl(text)) return;
  if (!URL.canParse(text)) throw new Unable(`${what} is not a URL: ${text}`);
  const url = new URL(text);
  if (!allowsRemote && !isLoopback(url.hostname))
    throw new Unable(`${what} leads beyond this machine, to ${url.host}; say --yes if that is meant`);
}

/** Sends one call; a redirect is a reply like any other, and is not followed. */
async function call(url: string, { method, body }: { method: string; body?: string }): Promise<Reply> {
  try {
    const reply = await fetch(url, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(LONGEST_MS),
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
    });
    const text = (await reply.text()).slice(0, LONGEST_TEXT);
    return { ok: reply.ok, text: reply.ok ? text : `${reply.status} ${text}` };
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    const isDown = code === 'ECONNREFUSED' || code === 'ENOTFOUND';
    return { ok: false, text: `${code ?? (error as Error).message}`, ...(isDown ? { isDown } : {}) };
  }
}

/** Runs the user's own command in a shell, in a process group of its own that is killed when its time is over. */
function run(command: string, reference: string, check: string, running: Set<ChildProcess>): Promise<Reply> {
  return new Promise((resolve) => {
    const child = spawn(command, {
      shell: true,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, EXAM_REFERENCE: reference, EXAM_CHECK: check },
    });
    running.add(child);
    let [out, err, isLate] = ['', '', false];
    child.stdout?.setEncoding('utf8').on('data', (part: string) => {
      if (out.length < LONGEST_TEXT) out += part;
    });
    child.stderr?.setEncoding('utf8').on('data', (part: string) => {
      if (err.length < LONGEST_TEXT) err += part;
    });
    let isOver = false;
    const end = (code: number | null): void => {
      if (isOver) return;
      isOver = true;
      clearReal(stop);
      running.delete(child);
      // A child of its own that still pays may hold the pipes; its later output no longer counts.
      child.stdout?.destroy();
      child.stderr?.destroy();
      const last = err.trim().split('\n').at(-1);
      const why = isLate ? `no end within ${LONGEST_MS / 1000} s` : `exit code ${code}${last ? `: ${last}` : ''}`;
      resolve(code === 0 ? { ok: true, text: out } : { ok: false, text: why });
    };
    const stop = realTimeout(() => {
      isLate = true;
      endGroup(child);
    }, LONGEST_MS);
    child.once('error', () => end(127));
    // The pipes may hold more output when the process has ended; a grandchild may keep them open for good.
    child.once('exit', (code) => {
      const closed = realTimeout(() => end(code), 100);
      child.once('close', () => {
        clearReal(closed);
        end(code);
      });
    });
  });
}

function endGroup(child: ChildProcess): void {
  const { pid, exitCode, signalCode } = child;
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended at this very moment.
  }
}
