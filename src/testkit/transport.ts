/** The part of `fetch` that is needed, so that a test can pass its own. */
export type Fetch = (
  url: string,
  init: { method: string; headers: { [name: string]: string }; body?: string },
) => Promise<{ status: number; text(): Promise<string> }>;

/** A refusal of the API: its status, its code, and the check that failed. */
export class WalletError extends Error {
  override readonly name = 'WalletError';
  readonly status: number;
  readonly code: string | undefined;
  readonly reason: string | undefined;

  constructor(what: string, status: number, body: unknown) {
    const field = (name: string, of: unknown = body): string | undefined => {
      const value: unknown = typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
      return typeof value === 'string' ? value : undefined;
    };
    const details: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'details') : undefined;
    const reason = field('reason', details) ?? field('reason');
    super(`${what} answered ${status}: ${[field('code'), reason ?? field('message')].filter(Boolean).join(', ')}`);
    this.status = status;
    this.code = field('code');
    this.reason = reason;
  }
}

/** A reply of the API that is not a refusal. */
export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: its shape depends on the operation; typed where it leaves the client
  body: any;
}

/** Returns default headers with a caller's own, each of which replaces the default of its name in any case. */
function withOwn(defaults: { [name: string]: string }, own: { [name: string]: string }): { [name: string]: string } {
  const replaced = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  return { ...Object.fromEntries(Object.entries(defaults).filter(([name]) => !replaced.has(name))), ...own };
}

/** Calls the API; throws `WalletError` for a status of 400 or above. */
export async function send(
  target: { baseUrl: string; authorization?: string | undefined; fetch: Fetch },
  method: string,
  path: string,
  body: unknown,
  headers: { [name: string]: string },
): Promise<Answer> {
  const response = await target.fetch(`${target.baseUrl}${path}`, {
    method,
    headers: withOwn(
      {
        accept: 'application/json',
        ...(target.authorization !== undefined && { authorization: target.authorization }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      headers,
    ),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const read = (): unknown => {
    try {
      return text === '' ? undefined : JSON.parse(text);
    } catch {
      return undefined;
    }
  };
  if (response.status >= 400) throw new WalletError(`${method} ${path}`, response.status, read());
  return { status: response.status, body: read() };
}
