import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './npm.mjs';
import { HERE, NODE_VERSION, TARGETS } from './targets.mjs';

/**
 * Returns the path of a target's Node binary; downloaded at the first use, and refused where its archive is not the one that we know.
 * For macOS, it is the Node that runs this, and only there.
 */
export async function nodeBinary(name, cache) {
  const target = TARGETS[name];
  if (target.package === undefined) {
    if (name !== HERE)
      throw new Error(`${name} is built on a machine of that kind only: npm has no Node ${NODE_VERSION} for it`);
    if (process.version !== `v${NODE_VERSION}`)
      throw new Error(`${name} is built by Node ${NODE_VERSION}, which goes into it; this is ${process.version}`);
    return process.execPath;
  }
  const folder = join(cache, target.package);
  const binary = join(folder, 'package', target.binary);
  if (existsSync(binary)) return binary;
  const made = `${folder}.new`;
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made, { recursive: true });
  const [{ filename, integrity }] = JSON.parse(
    npm(['pack', target.package, '--json', '--silent', '--pack-destination', made]),
  );
  if (integrity !== target.integrity)
    throw new Error(`${target.package} has the digest ${integrity}, not ${target.integrity}`);
  // Names without a folder: some tar of Windows takes `C:` for another machine.
  const licence = target.platform === 'linux' ? ['package/LICENSE'] : [];
  execFileSync('tar', ['xzf', filename, `package/${target.binary}`, ...licence], { cwd: made });
  rmSync(join(made, filename));
  rmSync(folder, { recursive: true, force: true });
  renameSync(made, folder);
  return binary;
}
