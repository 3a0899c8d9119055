// `tender key`: what merchants sign with. A control key that is made here is printed once; one that exists already comes
// from a file or standard input, never as an argument that other users of the machine could see.

import { text as readAll } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import type { KeyView, NewKey } from '../administration/keys.ts';
import { counted, minute, table } from '../administration/verb/table.ts';
import { administrationCommand, answerWith, type CommonValues, given, nounCommand } from './administration-command.ts';
import { readGivenText } from './given-file.ts';
import { momentOf } from './option-values.ts';

type KeyValues = CommonValues & {
  readonly file?: string;
  readonly stdin?: boolean;
  readonly rsa?: string;
  readonly from?: string;
  readonly until?: string;
};

export function addKey(program: Command): void {
  const noun = nounCommand(program, 'key', 'add, list and retire the keys merchants sign with');

  administrationCommand(noun, 'add <login>', 'add a key; without a file, a new control key is made and printed once')
    .addOption(new Option('--file <path>', 'a control key that exists already').conflicts(['stdin', 'rsa']))
    .addOption(new Option('--stdin', 'the same, read from standard input').conflicts('rsa'))
    .option('--rsa <path>', 'an RSA public key in PEM (SPKI or PKCS#1), 2048 bits or more')
    .option('--from <moment>', 'when it becomes valid; now when left out', momentOf)
    .option('--until <moment>', 'when it ends; never when left out', momentOf)
    .action((login: string, values: KeyValues) =>
      answerWith(
        values,
        async ({ ask }) => ask('addKey', { login, ...(await keyIn(values)) }),
        (key) => [`Added key ${key.keyId} to merchant ${login}.`, ...toldOnce(key)].join('\n'),
      ),
    );

  administrationCommand(noun, 'list [login]', 'list the keys of a merchant, or all, never the keys themselves').action(
    (login: string | undefined, values: CommonValues) =>
      answerWith(values, ({ ask }) => ask('listKeys', given({ login })), listed),
  );

  administrationCommand(noun, 'retire <login> <key-id>', 'let a key end')
    .option('--at <moment>', 'when; now when left out', momentOf)
    .action((login: string, keyId: string, values: CommonValues & { readonly at?: string }) =>
      answerWith(
        values,
        ({ ask }) => ask('retireKey', { login, keyId, ...given({ at: values.at }) }),
        ({ key, stillValid }) => {
          const kind = key.kind === 'rsa' ? 'valid RSA key' : 'valid control key';
          const when = values.at === undefined ? 'has ended' : `ends at ${key.validUntil}`;
          return `Key ${keyId} ${when}. Merchant ${login} keeps ${counted(stillValid, kind)}.`;
        },
      ),
    );
}

/** The secret and what to do with it; nothing when there is none to tell. */
export function toldOnce({ controlKey, keyId }: NewKey): string[] {
  if (controlKey === null) return [];
  return [`Control key ${keyId}: ${controlKey}`, 'It is shown this once and cannot be read again: keep it safe.'];
}

async function keyIn({ file, stdin, rsa, from, until }: KeyValues) {
  const validity = given({ validFrom: from, validUntil: until });
  if (rsa !== undefined) return { kind: 'rsa', publicKey: await readGivenText(rsa), ...validity };
  if (file !== undefined) return { kind: 'control', controlKey: (await readGivenText(file)).trim(), ...validity };
  if (stdin) return { kind: 'control', controlKey: (await readAll(process.stdin)).trim(), ...validity };
  return { kind: 'control', ...validity };
}

function listed(keys: readonly KeyView[]): string {
  if (keys.length === 0) return 'There are no keys; add one with: tender key add <login>';
  return table(
    ['KEY', 'MERCHANT', 'KIND', 'STATE', 'FROM', 'UNTIL'],
    keys.map((key) => [key.keyId, key.login, key.kind, key.state, day(key.validFrom), day(key.validUntil)]),
  );
}

function day(moment: string | null): string {
  return moment !== null && Date.parse(moment) === 0 ? '-' : minute(moment);
}
