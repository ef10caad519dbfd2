import { type Command, commands, decisions, type InputOf, type Members } from '../sandbox/commands/index.ts';
import { LONGEST_TEXT, streamOf } from '../sandbox/state-text.ts';
import { Content, type Control, control } from './control.ts';

const JSON_TEXT = { 'content-type': 'application/json' };
const CAPSULE = {
  'content-type': 'application/gzip',
  'content-disposition': 'attachment; filename="capsule.sandbox.json.gz"',
};
const EVENT_STREAM = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };

/** The most bytes of a body: a document of the largest size, in base64 and within JSON. */
const LARGEST_CALL = 48 * 1024 * 1024;

const plain = (text: string): Content => new Content({ 'content-type': 'text/plain; charset=utf-8' }, text);

/** Every control of the control API, in the order of its documentation. */
export const CONTROLS: readonly Control[] = [
  control('GET', '/health', commands.emulator.health),
  control('GET', '/running', commands.emulator.running),
  control('GET', '/coverage', commands.emulator.coverage),
  control('GET', '/operations', commands.operations.find),
  control('GET', '/operations/:id', commands.operations.describe),
  control('POST', '/operations/:id/call', commands.operations.call, { limit: LARGEST_CALL }),
  control('GET', '/trigger', commands.operations.events),
  control('POST', '/trigger', commands.operations.trigger),
  control('GET', '/openapi.json', commands.emulator.openApi, {
    reply: (text) => new Content({ ...JSON_TEXT, 'content-length': String(Buffer.byteLength(text)) }, text),
  }),
  control('GET', '/sandboxes', commands.sandboxes.list),
  control('POST', '/sandboxes', commands.sandboxes.create),
  control('GET', '/sandbox', commands.sandboxes.present),
  control('GET', '/sandboxes/:id', commands.sandboxes.read),
  control('POST', '/sandboxes/:id/fork', commands.sandboxes.fork),
  control('DELETE', '/sandboxes/:id', commands.sandboxes.drop),
  control('GET', '/scenarios', commands.scenarios.list),
  control('POST', '/scenarios/check', commands.scenarios.check),
  control('POST', '/reset', commands.state.reset),
  control('GET', '/capsule', commands.state.capsule, {
    reply: (bytes) => new Content(CAPSULE, new Blob([new Uint8Array(bytes)]).stream()),
  }),
  control('GET', '/state', commands.state.read, {
    reply: (whole) => new Content(JSON_TEXT, streamOf(whole)),
  }),
  control('PUT', '/state', commands.state.write, {
    whole: 'state',
    limit: LONGEST_TEXT,
    long: true,
  }),
  control('GET', '/tables', commands.rows.tables),
  control('GET', '/tables/:name', commands.rows.list),
  control('GET', '/resources/:id', commands.rows.read),
  control('GET', '/snapshots', commands.snapshots.list),
  control('POST', '/snapshots', commands.snapshots.keep),
  control('POST', '/snapshots/:name/restore', commands.snapshots.restore),
  control('DELETE', '/snapshots/:name', commands.snapshots.forget),
  control('GET', '/snapshots/:name/diff', commands.snapshots.diff),
  control('GET', '/compare', commands.snapshots.compare),
  control('GET', '/clock', commands.clock.read),
  control('POST', '/clock', commands.clock.move),
  control('GET', '/jobs', commands.clock.jobs),
  control('POST', '/jobs/:id/run', commands.clock.runJob),
  control('GET', '/codes', commands.records.codes),
  control('GET', '/wallet-key', commands.records.walletKey),
  control('GET', '/webhooks', commands.webhooks.list),
  control('GET', '/webhooks/key', commands.webhooks.key),
  control('PUT', '/webhooks/endpoint', commands.webhooks.setEndpoint),
  control('GET', '/webhooks/endpoint', commands.webhooks.endpoint),
  control('POST', '/webhooks/pause', commands.webhooks.pause),
  control('POST', '/webhooks/resume', commands.webhooks.resume),
  control('POST', '/webhooks/step', commands.webhooks.step),
  control('GET', '/webhooks/wait', commands.webhooks.wait, { changes: true }),
  control('GET', '/webhooks/:id', commands.webhooks.read),
  control('GET', '/webhooks/:id/request', commands.webhooks.request),
  control('POST', '/webhooks/:id/redeliver', commands.webhooks.redeliver),
  control('GET', '/requests', commands.requests.list),
  control('GET', '/requests/:id', commands.requests.read),
  control('GET', '/requests/:id/code', commands.requests.code, { reply: plain }),
  control('POST', '/requests/:id/rewind', commands.requests.rewind),
  control('POST', '/requests/:id/fork', commands.requests.fork),
  control('POST', '/requests/:id/replay', commands.requests.replay),
  control('POST', '/record', commands.requests.record, { reply: plain }),
  control('GET', '/events', commands.events.stream, {
    reply: (stream) => new Content(EVENT_STREAM, stream),
  }),
  control('GET', '/faults', commands.faults.list),
  control('POST', '/faults', commands.faults.add, { whole: 'fault' }),
  control('DELETE', '/faults', commands.faults.clear),
  control('DELETE', '/faults/:id', commands.faults.remove),
  control('GET', '/policies', commands.policies.list),
  control('PUT', '/policies', commands.policies.set, { whole: 'policies' }),
  control('GET', '/transactions/:id', commands.records.transaction),
  control('GET', '/ledger', commands.ledger.list),
  control('GET', '/ledger/check', commands.ledger.check),
  control('GET', '/ledger/accounts/:id', commands.ledger.account),
  ...decisions.map(({ table, name, command }) => control('POST', `/${table.name}/:id/${name}`, command)),
];

/**
 * Returns the request for a command, below `/_emulator`; members that the input lacks, as in a form, are missing from
 * the body.
 */
export function requestFor<M extends Members, R, C>(command: Command<M, R, C>, input: Partial<InputOf<M>>) {
  const found = CONTROLS.find((one) => one.command === (command as unknown));
  if (!found) throw new Error(`the control API has no command that can: ${command.about}`);
  const rest: Record<string, unknown> = { ...input };
  // The colon of an id may stand unescaped in a path, and is more readable.
  const path = found.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const { [name]: value } = rest;
    delete rest[name];
    return encodeURIComponent(String(value)).replaceAll('%3A', ':');
  });
  const { method, whole } = found;
  const isAsked = method === 'GET' || method === 'DELETE';
  return {
    method,
    path,
    query: isAsked ? rest : {},
    body: isAsked ? undefined : whole === undefined ? rest : rest[whole],
  };
}

export { Content, type Control, type ControlAsk } from './control.ts';
