import { OPERATIONS } from '../../src/areas.ts';
import { ERRORS } from '../../src/contract/errors.ts';
import type { Profile } from '../../src/contract/profile.ts';
import type { Operation } from '../../src/declare/operation.ts';
import { Paths } from '../../src/http/paths.ts';
import { replyBeyondContract } from '../kit/contract.ts';
import type { Plan, Reply } from './plan.ts';

const paths = new Paths<Operation>();
for (const operation of OPERATIONS) paths.add(operation.method, operation.path, operation);
const MEMBERS = new Set(['status', 'code', 'message', 'details', 'reason']);

/** The operation that a request reaches, which a mutation may have made another than was meant. */
export function operationOf({ method, path }: Plan, basePath: string): Operation | undefined {
  if (!path.startsWith(`${basePath}/`)) return undefined;
  return paths.find(path.slice(basePath.length))?.methods.get(method);
}

/** What Node's HTTP parser refuses has a status of its own, and the code of a request that cannot be read. */
const BELOW: Readonly<Record<number, string>> = Object.fromEntries(
  [408, 413, 417, 431].map((status) => [status, 'INVALID_REQUEST_FORMAT']),
);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is wrong with the body of a refusal; it has to be the declared error (spec 7). */
export function wrongRefusal(reply: Pick<Reply, 'status' | 'json' | 'text'>): string | undefined {
  const { json } = reply;
  if (!isObject(json)) return 'an error body, not this';
  const { status, code, message } = json;
  if (status !== reply.status) return `status ${reply.status} in the error body`;
  const known =
    code === 'GRID_SWITCH_ERROR' ? 500 : BELOW[status] === code ? status : ERRORS[code as keyof typeof ERRORS];
  if (known !== reply.status) return `a code whose status is ${reply.status}, not ${String(code)}`;
  if (typeof message !== 'string' || message === '') return 'a message';
  const extra = Object.keys(json).find((name) => !MEMBERS.has(name));
  if (extra !== undefined) return `no member ${extra} in an error body`;
  if (/node_modules|\.ts:\d+:\d+|\n\s+at /.test(reply.text)) return 'no stack trace';
  return undefined;
}

/** What is wrong with a reply; `undefined` when nothing is. */
export function wrongReply(plan: Plan, reply: Reply, basePath: string, profile: Profile): string | undefined {
  const { status, headers, text } = reply;
  if (status === 500) return 'any status but 500';
  if (plan.kind === 'page') return undefined;
  const isPage =
    headers.get('content-type')?.includes('html') || /^\/(?:inspector|kyc|favicon|apple|\.well)/.test(plan.path);
  if (isPage) return undefined;
  for (const name of ['x-request-id', 'x-sandbox-emulator']) if (!headers.get(name)) return `a header ${name}`;
  if (plan.method === 'HEAD') return undefined;
  if (status >= 400) return wrongRefusal(reply);
  const operation = operationOf(plan, basePath);
  if (!operation) return undefined;
  const shape = operation.replies[status];
  if (shape === undefined) return `a declared status of ${operation.id}`;
  if (shape === null) return text === '' ? undefined : 'no body';
  const beyond = replyBeyondContract(profile, operation.id, status, reply.json);
  if (beyond) return `what the public contract says of ${operation.id}: ${beyond}`;
  if (profile.name !== 'spec') return undefined;
  const checked = shape().safeParse(reply.json);
  return checked.success
    ? undefined
    : `the declared shape of ${operation.id}: ${checked.error.issues[0]?.path.join('.')} ${checked.error.issues[0]?.message}`;
}
