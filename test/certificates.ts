// Certificates for tests, made with openssl: authorities, and what they issue.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In PEM. */
export type Issued = { readonly certificate: string; readonly privateKey: string };

export type IssueOptions = {
  /** The addresses and names of a server, such as `IP:127.0.0.1`. */
  readonly at?: string;
  readonly days?: number;
  /** The length of an RSA key in the place of an elliptic one. */
  readonly rsaBits?: number;
};

export type TestAuthority = {
  readonly certificate: string;
  issue(name: string, options?: IssueOptions): Issued;
};

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
const DAYS = '30';

export function testAuthority(name: string): TestAuthority {
  const ca = inFolder((path, openssl) => {
    openssl(
      'req',
      '-x509',
      ...NEW_KEY,
      '-keyout',
      path('key'),
      '-out',
      path('pem'),
      '-days',
      DAYS,
      '-subj',
      `/CN=${name}`,
    );
    return { certificate: readFileSync(path('pem'), 'utf8'), privateKey: readFileSync(path('key'), 'utf8') };
  });
  return {
    certificate: ca.certificate,
    issue: (subject, { at, days = Number(DAYS), rsaBits } = {}) =>
      inFolder((path, openssl) => {
        const newKey = rsaBits === undefined ? NEW_KEY : ['-newkey', `rsa:${rsaBits}`, '-nodes'];
        writeFileSync(path('ca'), ca.certificate);
        writeFileSync(path('ca-key'), ca.privateKey);
        writeFileSync(path('ext'), at === undefined ? '' : `subjectAltName=${at}\n`);
        openssl('req', '-new', ...newKey, '-keyout', path('key'), '-out', path('csr'), '-subj', `/CN=${subject}`);
        const by = ['-CA', path('ca'), '-CAkey', path('ca-key'), '-CAcreateserial', '-extfile', path('ext')];
        openssl('x509', '-req', '-in', path('csr'), ...by, '-days', String(days), '-out', path('pem'));
        return { certificate: readFileSync(path('pem'), 'utf8'), privateKey: readFileSync(path('key'), 'utf8') };
      }),
  };
}

/** The same private key, locked with a passphrase. */
export function lockedKey(privateKey: string): string {
  return inFolder((path, openssl) => {
    writeFileSync(path('key'), privateKey);
    openssl('pkcs8', '-topk8', '-in', path('key'), '-out', path('locked'), '-passout', 'pass:secret');
    return readFileSync(path('locked'), 'utf8');
  });
}

function inFolder<T>(work: (path: (name: string) => string, openssl: (...args: string[]) => void) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'tender-certificates-'));
  try {
    return work(
      (name) => join(folder, name),
      (...args) => void execFileSync('openssl', args, { stdio: 'pipe' }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
