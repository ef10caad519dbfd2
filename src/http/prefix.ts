import type { Host } from '../sandbox/host.ts';

/**
 * Returns a request target without the path of the public URL, which a proxy in front may remove or keep. In absolute
 * form that path follows the host.
 */
export function withoutPrefix(prefix: string, target: string): string {
  if (prefix === '') return target;
  const at = target.startsWith('/') ? 0 : target.indexOf('/', target.indexOf('//') + 2);
  if (at < 0 || !target.startsWith(prefix, at)) return target;
  const rest = target.slice(at + prefix.length);
  if (rest !== '' && !/^[/?]/.test(rest)) return target;
  return `${target.slice(0, at)}${rest.startsWith('/') ? '' : '/'}${rest}`;
}

/** Returns a request to the public URL as one to the emulator itself. */
export function unprefixed({ prefix }: Host, request: Request): Request {
  const url = withoutPrefix(prefix, request.url);
  return url === request.url ? request : new Request(url, request);
}
