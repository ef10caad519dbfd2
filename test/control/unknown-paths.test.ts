import { describe, expect, test } from 'vitest';
import { CONTROLS } from '../../src/control/index.ts';
import { kit } from '../kit/sandbox.ts';

describe('unknown paths of the control API', () => {
  test('an unknown path of the control API is refused with 404, is not logged, and leaves the ids of later calls as they are', async () => {
    const idAfter = async (...mistyped: [method: string, path: string][]): Promise<string | undefined> => {
      const it = await kit({ seed: 7 });
      for (const [method, path] of mistyped) {
        const { status, body } = await it.control(method, path);
        expect([path, status, body.code]).toEqual([path, 404, 'REFERENCE_NOT_FOUND']);
      }
      await it.get('/config');
      const { data } = (await it.control('GET', '/requests')).body;
      expect(data).toHaveLength(1);
      return data[0].id;
    };
    const undisturbed = await idAfter();
    expect(undisturbed).toMatch(/^req_/);
    expect(await idAfter(['GET', '/faultz'], ['POST', '/clok'], ['DELETE', '/'])).toBe(undisturbed);
  });

  test('a path of the control API below that of the API is 404, and the message names the right one', async () => {
    const { status, body } = await (await kit()).post('/_emulator/sandboxes', {});
    expect([status, body.message]).toEqual([
      404,
      'there is no /2025-10-13/_emulator/sandboxes; the control API is at /_emulator/sandboxes, without /2025-10-13',
    ]);
  });
});

describe('wrong methods for paths of the control API', () => {
  test('a wrong method of a control is refused with 405, lists the right ones, and is not logged', async () => {
    const it = await kit();
    const { status, body, headers } = await it.control('PATCH', '/clock');
    expect([status, body.code, headers.get('allow')]).toEqual([405, 'METHOD_NOT_ALLOWED', 'GET, POST']);
    expect(body.message).toBe('/_emulator/clock does not answer PATCH; it answers GET, POST');
    expect((await it.control('GET', '/requests')).body.data).toEqual([]);
  });

  test('every path of the control API refuses a wrong method with 405 and lists exactly its declared methods', async () => {
    const it = await kit();
    const paths = new Map<string, string[]>();
    for (const { method, path } of CONTROLS) paths.set(path, [...(paths.get(path) ?? []), method]);
    for (const [path, methods] of paths) {
      const { status, headers } = await it.control('PATCH', path.replaceAll(/:\w+/g, 'x'));
      expect([path, status, headers.get('allow')]).toEqual([path, 405, methods.join(', ')]);
    }
  });
});
