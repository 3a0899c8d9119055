// `tender key`: what merchants sign with. A control key that is made here is printed once; one that exists already
// comes from a file or standard input, never as an argument that other users of the machine could see.

import { text as readAll } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import { administrationCommand, type CommonValues, given } from '../administration-command.ts';
import { readGivenText } from '../given-file.ts';
import { listOf, momentOf } from '../option-values.ts';
import { addNoun, tell } from '../verb-command.ts';

type KeyValues = CommonValues & {
  readonly file?: string;
  readonly stdin?: boolean;
  readonly rsa?: string;
  readonly from?: string;
  readonly until?: string;
  readonly operations?: readonly string[];
};

export function addKeyCommands(program: Command): void {
  const noun = addNoun(program, 'key');

  administrationCommand(noun, 'add <login>', 'add a key; without a file, a new control key is made and printed once')
    .addOption(new Option('--file <path>', 'a control key that exists already').conflicts(['stdin', 'rsa']))
    .addOption(new Option('--stdin', 'the same, read from standard input').conflicts('rsa'))
    .option('--rsa <path>', 'an RSA public key in PEM (SPKI or PKCS#1), 2048 bits or more')
    .option('--from <moment>', 'when it becomes valid; now when left out', momentOf)
    .option('--until <moment>', 'when it ends; never when left out', momentOf)
    .option('--operations <list>', 'operations it may sign, such as SALE,STATUS; all when left out', listOf)
    .action(async (login: string, values: KeyValues) => tell('addKey', values, { login, ...(await keyIn(values)) }));
}

async function keyIn({ file, stdin, rsa, from, until, operations }: KeyValues) {
  const limits = given({ validFrom: from, validUntil: until, operations });
  if (rsa !== undefined) return { kind: 'rsa', publicKey: await readGivenText(rsa), ...limits };
  if (file !== undefined) return { kind: 'control', controlKey: (await readGivenText(file)).trim(), ...limits };
  if (stdin) return { kind: 'control', controlKey: (await readAll(process.stdin)).trim(), ...limits };
  return { kind: 'control', ...limits };
}
