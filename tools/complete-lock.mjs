// Run after `npm install` where the registry lacks the packages of some platforms: writes them into the lock all the
// same, so that `npm ci` agrees with it everywhere. They are optional, and fetched on their own platform only.
import { readFileSync, writeFileSync } from 'node:fs';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const SYSTEM = /(darwin|win32|android|freebsd|linux|openharmony|openbsd|netbsd|sunos|aix)/;
const PROCESSOR = /(arm64|x64|ia32|arm|riscv64|s390x|ppc64|wasm32|loong64|mips64el)/;

for (const [path, { optionalDependencies = {}, license }] of Object.entries(lock.packages)) {
  if (path === '') continue;
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const at = `node_modules/${name}`;
    if (lock.packages[at] || lock.packages[`${path}/${at}`] || !/^\d/.test(version)) continue;
    const os = SYSTEM.exec(name)?.[1];
    const cpu = PROCESSOR.exec(name.slice(name.indexOf(os ?? '') + (os?.length ?? 0)))?.[1];
    const libc = name.includes('musl') ? 'musl' : os === 'linux' && name.includes('gnu') ? 'glibc' : undefined;
    lock.packages[at] = {
      version,
      ...(cpu ? { cpu: [cpu] } : {}),
      dev: true,
      ...(libc ? { libc: [libc] } : {}),
      license,
      optional: true,
      ...(os ? { os: [os] } : {}),
    };
    console.log(`added ${name} ${version} for ${os} ${cpu}`);
  }
}
const { '': root, ...packages } = lock.packages;
lock.packages = { '': root, ...Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1))) };
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
