// `tender sign`: signs a request and shows each step, without a gateway.

import { writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { describedCommand, withExample } from '../administration-command.ts';
import { Complaint } from '../complaint.ts';
import { momentOf } from '../option-values.ts';
import { say } from '../terminal.ts';
import { type KeyValues, keysOf, withKeyOptions } from './given-keys.ts';
import { type RequestValues, requestOf, withRequestOptions } from './given-request.ts';
import { type ExplainedCall, type SigningStep, signedCall } from './signed-request.ts';

type SignValues = RequestValues &
  KeyValues & {
    readonly method?: 'HMAC-SHA1' | 'RSA-SHA256';
    readonly strict?: true;
    readonly time?: string;
    readonly nonce?: string;
    readonly bodyOut?: string;
    readonly json?: true;
  };

export function addSign(program: Command): void {
  const command = describedCommand(
    program,
    'sign',
    'sign a request, and show each step',
    'Signs a request of an operation as it must be signed, by a control or by OAuth 1.0a, and shows each step: the values and their order, the string with the key masked, the digest, and a command of curl that sends it. It needs no gateway.',
  );
  withKeyOptions(withRequestOptions(command))
    .addOption(
      new Option('--method <method>', 'where an operation takes either OAuth signature').choices([
        'HMAC-SHA1',
        'RSA-SHA256',
      ]),
    )
    .option('--strict', 'add the header X-Signature of strict signing')
    .option('--time <moment>', 'the time that is signed (default: now)', momentOf)
    .option('--nonce <text>', 'the nonce that is signed (default: a new one)')
    .option('--body-out <file>', 'write the signed body there, whole')
    .option('--json', 'print the answer as JSON')
    .action(run);
  withExample(command, 'tender sign status --demo -d client_orderid=inv-1001 -d orderid=1');
}

async function run(named: string | undefined, values: SignValues): Promise<void> {
  if (values.keyStdin && [values.body, values.curl].includes('-')) {
    throw new Complaint('standard input holds the key or the request, not both');
  }
  const request = await requestOf(named, values);
  const now = values.time === undefined ? Date.now() : Date.parse(values.time);
  const wishes = { method: values.method, isStrict: values.strict === true, now, nonce: values.nonce };
  const signed = signedCall(request, await keysOf(values), wishes);
  if (values.bodyOut !== undefined) await writeFile(values.bodyOut, signed.body, { mode: 0o600 });
  const { body, isMasked, ...shown } = signed;
  const answer = isMasked ? shown : { ...shown, body };
  say(values.json ? JSON.stringify(answer, null, 2) : told(signed, values.bodyOut));
}

function told(
  { operation, scheme, url, steps, curl, isMasked, headers }: ExplainedCall,
  bodyOut: string | undefined,
): string {
  const way = scheme === 'control' ? 'a control' : `OAuth 1.0a, ${scheme}`;
  const fromFile = [`curl ${url}`, ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`)];
  const command = bodyOut === undefined ? curl : [...fromFile, `--data-binary @${bodyOut}`].join(' \\\n  ');
  const note =
    isMasked && bodyOut === undefined
      ? ['*** stands for secrets, which are signed and not shown: put them in, or let --body-out write the whole body.']
      : [];
  return [`${operation} at ${url}, signed by ${way}`, ...steps.map(written), `Send it:\n${command}`, ...note].join(
    '\n\n',
  );
}

function written({ says, lines }: SigningStep, index: number): string {
  return [`${index + 1}. ${says}`, ...lines.map((line) => `   ${line}`)].join('\n');
}
