import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '../../src');

/** Whoever reads the machine's time or draws real randomness makes runs differ; timers make tests wait. */
const FORBIDDEN =
  /\b(?:Date\.now|new Date\(\)|Math\.random|randomUUID|randomBytes|randomInt|getRandomValues|performance\.now|hrtime|setTimeout|setInterval|realTimeout|heldTimeout|realWait)\b|new Date\(\)/g;

/** Who may, and why. */
const ALLOWED: Readonly<Record<string, readonly [words: readonly string[], why: string]>> = {
  'engine/clock.ts': [['Date.now', 'hrtime'], 'it is the clock'],
  'engine/timers.ts': [['setTimeout', 'realTimeout', 'heldTimeout', 'realWait'], 'it has the timers of real time'],
  'engine/alarm.ts': [['realTimeout', 'heldTimeout'], 'it wakes when a job is due'],
  'areas/webhooks/deadline.ts': [['realTimeout'], 'the receiver is real, and so is its deadline'],
  'emulator.ts': [['realTimeout'], 'closing has a real deadline'],
  'sandbox/host.ts': [
    ['randomBytes', 'realTimeout'],
    'the seed, when none was given; people who leave a sandbox alone leave it in real time',
  ],
  'sandbox/capsule/stand-ins.ts': [['randomBytes'], 'a salt that nobody can guess secrets with'],
  'sandbox/commands/events.ts': [['setInterval'], 'a sign of life for real connections'],
  'sandbox/commands/await-webhook.ts': [['realTimeout'], 'a control call waits in real time'],
  'sandbox/commands/webhooks.ts': [['realTimeout'], 'a program waits in real time'],
  'sandbox/traces/spans.ts': [['realTimeout'], 'the end of a process waits for a collector half a second at most'],
  'exam/backend.ts': [['realTimeout'], 'a backend under test is real, and so is the end of its command'],
  'exam/checks.ts': [['randomUUID'], 'a forged event has an id that no other has'],
  'exam/index.ts': [['randomBytes'], 'references of an exam are new to the backend'],
  'exam/scene.ts': [['realWait'], 'a backend under test is real, and is looked at again'],
  'areas/webhooks/patience.ts': [['realTimeout'], 'a receiver is real, and an advance waits for it only so long'],
  'http/control-lock.ts': [['randomBytes'], 'the cookie of a login must be unguessable'],
  'http/body.ts': [['realWait'], 'a client that sends slowly is real'],
  'http/fault-injection.ts': [['realWait'], 'a fault delays a real client'],
  'mcp/server.ts': [['setInterval'], 'an agent that waits in real time hears that its call goes on'],
  'mcp/stdio.ts': [['setTimeout'], 'what is under way when stdin ends is not waited for without end'],
  'cli/launcher.ts': [['setInterval'], 'the npm that runs the command has a life of its own'],
  'cli/stop.ts': [['setTimeout'], 'a stop that hangs is forced'],
  'cli/commands/listen.ts': [
    ['new Date()', 'setTimeout'],
    'a receiver lives in real time, and is as slow as it is told',
  ],
  'cli/registration.ts': [['setTimeout'], 'an emulator that starts again is looked for'],
  'cli/follow.ts': [['setTimeout'], 'an emulator that went away is looked for again'],
  'cli/values.ts': [['setTimeout'], 'a shell that completes does not wait for what does not answer'],
  'cli/watch.ts': [['setTimeout'], 'an editor writes a file in several steps'],
  'cli/commands/parity.ts': [['randomInt'], 'a seed that was not given is drawn, and printed'],
  'parity/run.ts': [
    ['Date.now', 'performance.now', 'setTimeout'],
    'a service lives in real time, and is asked again after a while',
  ],
  'parity/first.ts': [
    ['performance.now'],
    'a service lives in real time, and who answers there is waited for three seconds',
  ],
  'parity/transport.ts': [['setTimeout'], 'a service that does not answer is not waited for without end'],
};

test('code takes time from the clock and chance from the ids; each exception is listed with its reason', () => {
  const wrong: string[] = [];
  for (const file of readdirSync(SRC, { recursive: true, encoding: 'utf8' })) {
    // Key material must be unguessable, and the testkit is the client's side.
    if (!/\.tsx?$/.test(file) || file.startsWith('crypto/') || file.startsWith('testkit/')) continue;
    readFileSync(join(SRC, file), 'utf8')
      .split('\n')
      .forEach((text, i) => {
        for (const [word] of text.matchAll(FORBIDDEN))
          if (!ALLOWED[file]?.[0].includes(word)) wrong.push(`src/${file}:${i + 1}: ${word}`);
      });
  }
  expect(wrong).toEqual([]);
});

test('code names no vendor, but in the profile of the public names', () => {
  const wrong = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      /\.tsx?$/.test(file) &&
      file !== 'contract/profile.ts' &&
      /x-grid|sumsub|lightspark|turnkey\.com/i.test(readFileSync(join(SRC, file), 'utf8')),
  );
  expect(wrong).toEqual([]);
});
