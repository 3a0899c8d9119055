// `tender check-signature`: tells whether the signature of a request fits, and where it differs, without a gateway.
// Exit code 0 when it fits, 1 when it does not, 2 when it could not be checked.

import type { Command } from 'commander';
import { describedCommand, withExample } from '../administration-command.ts';
import { Complaint } from '../complaint.ts';
import { momentOf } from '../option-values.ts';
import { say } from '../terminal.ts';
import { checkedSignatures, type SignatureVerdict } from './checked-request.ts';
import { type KeyValues, keysOf, withKeyOptions } from './given-keys.ts';
import { type RequestValues, requestOf, withRequestOptions } from './given-request.ts';

type CheckValues = RequestValues & KeyValues & { readonly time?: string; readonly json?: true };

export function addCheckSignature(program: Command): void {
  const command = describedCommand(
    program,
    'check-signature',
    'tell why the signature of a request is wrong',
    'Checks the control, the OAuth 1.0a header or the strict signature of a request as the gateway does, and tells where it differs: another key, notation, order, encoding, host. It needs no gateway.',
  );
  withKeyOptions(withRequestOptions(command))
    .option('--time <moment>', 'the time at which it came (default: now)', momentOf)
    .option('--json', 'print the answer as JSON')
    .action(run);
  withExample(command, 'pbpaste | tender check-signature --curl - --key-file shop.key');
}

async function run(named: string | undefined, values: CheckValues): Promise<void> {
  if (values.keyStdin && [values.body, values.curl].includes('-')) {
    throw new Complaint('standard input holds the key or the request, not both');
  }
  const request = await requestOf(named, values);
  const now = values.time === undefined ? Date.now() : Date.parse(values.time);
  const signatures = checkedSignatures(request, await keysOf(values), now);
  const fits = signatures.every((one) => one.fits);
  const { operation, url } = request;
  const answer = { operation: operation.name, url, fits, signatures };
  say(
    values.json
      ? JSON.stringify(answer, null, 2)
      : [`${operation.name} at ${url}`, ...signatures.map(told)].join('\n\n'),
  );
  if (!fits) process.exitCode = 1;
}

const TITLES: Readonly<Record<SignatureVerdict['scheme'], string>> = {
  control: 'The control',
  'OAuth 1.0a': 'The OAuth signature',
  strict: 'The strict signature',
};

function told({ scheme, fits, says, expected, received }: SignatureVerdict): string {
  return [
    `${TITLES[scheme]} ${fits ? 'fits' : 'does not fit'}.`,
    ...says.map((one) => `  ${one}`),
    ...(expected === undefined ? [] : [`  Expected  ${withEscapes(expected)}`]),
    ...(received === undefined ? [] : [`  Received  ${withEscapes(received)}`]),
  ].join('\n');
}

/** Line ends, tabs and characters that take no room are what nobody sees: they are written as programs write them. */
export function withEscapes(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00a0]/gu, (one) => {
    const short = JSON.stringify(one).slice(1, -1);
    return short.startsWith('\\') ? short : `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
