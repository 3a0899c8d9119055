// The way to PostgreSQL under TLS, on a server of its own: with `sslmode` the server's certificate must be good for its
// name, whichever of the modes is written.

import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres, startPostgres } from '../../scripts/postgres.mjs';
import { openPostgres } from '../../src/storage/connection/postgres.ts';
import { testAuthority } from '../certificates.ts';
import { postgres } from './databases.ts';

const isSecure = { name: 'is-secure', text: 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()' };

describe.skipIf(!postgres.available)('PostgreSQL under TLS', () => {
  const ours = testAuthority('Database CA');
  const strangers = testAuthority('Stranger CA');
  let folder: string;
  const servers: { url: string; stop(): Promise<void> }[] = [];

  const path = (name: string) => join(folder, name);

  /** A server that shows a certificate for this name. */
  async function start(name: string): Promise<string> {
    const { certificate, privateKey } = ours.issue('database', { at: name });
    const [cert, key] = [path(`${servers.length}.pem`), path(`${servers.length}.key`)];
    writeFileSync(cert, certificate);
    writeFileSync(key, privateKey, { mode: 0o600 });
    for (const file of process.getuid?.() === 0 ? [folder, cert, key] : []) chownSync(file, ...serversUser());
    const settings = { ssl: 'on', ssl_cert_file: cert, ssl_key_file: key };
    const server = await startPostgres({ binaries: findPostgres()!, settings });
    servers.push(server);
    return server.url;
  }

  beforeAll(() => {
    folder = mkdtempSync('/tmp/tender-postgres-tls-');
    writeFileSync(path('ca.pem'), ours.certificate, { mode: 0o644 });
    writeFileSync(path('stranger.pem'), strangers.certificate, { mode: 0o644 });
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is trusted by its authority and its name, in every mode that uses TLS', async () => {
    const url = await start('IP:127.0.0.1');
    for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full']) {
      const database = await openPostgres({ url: `${url}?sslmode=${mode}&sslrootcert=${path('ca.pem')}` });
      expect(await database.query(isSecure)).toEqual([{ ssl: true }]);
      await database.close();
      const wrong = openPostgres({ url: `${url}?sslmode=${mode}&sslrootcert=${path('stranger.pem')}` });
      await expect(wrong).rejects.toThrow(/cannot reach the database.*certificate/);
      await expect(openPostgres({ url: `${url}?sslmode=${mode}` })).rejects.toThrow(/certificate/);
    }
  });

  it('is not trusted under another name', async () => {
    const url = await start('DNS:other.example');
    const wrong = openPostgres({ url: `${url}?sslmode=require&sslrootcert=${path('ca.pem')}` });
    await expect(wrong).rejects.toThrow(/altnames|does not match/);
  });
});

/** The user that the server runs as, because PostgreSQL does not run as root. */
function serversUser(): [number, number] {
  for (const name of ['postgres', 'nobody']) {
    try {
      const ask = (what: string) => Number(execFileSync('id', [what, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
      return [ask('-u'), ask('-g')];
    } catch {}
  }
  throw new Error('there is no user for PostgreSQL');
}
