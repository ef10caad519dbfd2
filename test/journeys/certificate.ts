import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A certificate of its own for 127.0.0.1, localhost and app.localhost, as files of a folder. */
export function certificate(folder: string, name: string): { tlsCert: string; tlsKey: string } {
  const [tlsCert, tlsKey] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost,DNS:app.localhost'];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', ...kind, ...subject, '-keyout', tlsKey, '-out', tlsCert], { stdio: 'ignore' });
  return { tlsCert, tlsKey };
}

/** A folder that is gone when the test is over. */
export function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'sandbox-emulator-tls-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}
