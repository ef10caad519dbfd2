import { describe, expect, test } from 'vitest';
import { hostnameOf, isLoopback, isLoopbackName } from '../../src/contract/address.ts';

/** Hosts, and whether they can only mean this machine: as a name, as an address, or not at all. */
const HOSTS: readonly (readonly [string, 'name' | 'address' | 'elsewhere'])[] = [
  ['localhost', 'name'],
  ['LocalHost', 'name'],
  ['app.localhost', 'name'],
  ['a.b.LOCALHOST', 'name'],
  ['127.0.0.1', 'address'],
  ['127.255.255.254', 'address'],
  ['::1', 'address'],
  ['[::1]', 'address'],
  ['0:0:0:0:0:0:0:1', 'address'],
  ['::ffff:127.0.0.1', 'address'],
  ['[::ffff:7f00:1]', 'address'],
  ['', 'elsewhere'],
  ['.localhost', 'elsewhere'],
  ['localhost.', 'elsewhere'],
  ['notlocalhost', 'elsewhere'],
  ['localhost.example', 'elsewhere'],
  ['127.0.0.1.example', 'elsewhere'],
  ['127.1', 'elsewhere'],
  ['127.0.0.256', 'elsewhere'],
  ['128.0.0.1', 'elsewhere'],
  ['0.0.0.0', 'elsewhere'],
  ['::', 'elsewhere'],
  ['::2', 'elsewhere'],
  ['::127.0.0.1', 'elsewhere'],
  ['::ffff:128.0.0.1', 'elsewhere'],
  ['::1%lo', 'elsewhere'],
];

describe('one notion of loopback', () => {
  test.each(HOSTS)('the host "%s" is classified as loopback by %s', (host, by) => {
    expect([isLoopback(host), isLoopbackName(host)]).toEqual([by !== 'elsewhere', by === 'name']);
  });

  test.each([
    ['localhost.:4010', true],
    ['[::FFFF:127.0.0.1]:4010', true],
    ['127.1', true],
    ['evil.example', false],
  ])('the Host header "%s", read as URLs are, is loopback: %s', (header, loopback) => {
    expect(isLoopback(hostnameOf(header) ?? '')).toBe(loopback);
  });
});
