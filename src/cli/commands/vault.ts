// `tender vault`: the keys card numbers and control keys are sealed under.

import { resolve } from 'node:path';
import type { Command } from 'commander';
import { vaultStatus } from '../../administration/keys/vault.ts';
import type { KeyRotation } from '../../processing/node/key-rotation.ts';
import { administrationCommand, answerWith, type CommonValues } from '../administration-command.ts';
import { nearPath } from '../complaint.ts';
import { withProgress } from '../progress-line.ts';
import { settingOption } from '../setting-options.ts';
import { say } from '../terminal.ts';
import { addNoun, tell } from '../verb-command.ts';

type RotateValues = CommonValues & { readonly kek?: boolean; readonly links?: boolean; readonly lookup?: boolean };

export function addVault(program: Command): void {
  const noun = addNoun(program, 'vault');

  administrationCommand(noun, 'rotate', 'make a new data key and seal everything anew under it')
    .addOption(settingOption('keyGraceMs'))
    .option('--kek', 'make a new key-encryption key instead and wrap the data keys under it')
    .option('--links', 'make a new key for the links of payers instead')
    .option('--lookup', 'make a new key by which equal cards are recognised instead')
    .action((values: RotateValues) => {
      if (values.kek) return tell('rotateKeyEncryptionKey', values);
      if (values.lookup) return rotateDigests('rotateLookupKey', values);
      return values.links ? rotateDigests('rotateLinksKey', values) : rotate(values);
    });

  noun
    .command('create-key-file <path>')
    .summary('make a file with a new key-encryption key, as production needs one')
    .description(
      'Makes a file with a new key-encryption key, as production needs one. Without it nothing sealed opens again.',
    )
    .action(async (given: string) => {
      const path = resolve(given);
      const { createKeyFile } = await import('../../compose/index.ts');
      await createKeyFile(path);
      say(`Made ${nearPath(path)}. Keep a copy in a safe place: without it no card number opens again.`);
    });
}

/** A running gateway does the work itself; without one it is done here, however long it takes. */
async function rotate(values: CommonValues): Promise<void> {
  await answerWith(
    values,
    async ({ ask, rotation }) => {
      if (!rotation?.isUnderWay) await ask('rotateDataKey');
      if (rotation) await finishHere(rotation);
      return ask('showVault');
    },
    vaultStatus,
  );
}

/** As above; a new key is known to every node before it is used. */
async function rotateDigests(verb: 'rotateLinksKey' | 'rotateLookupKey', values: CommonValues): Promise<void> {
  await answerWith(
    values,
    async ({ ask, digestRotation }) => {
      if (!digestRotation?.isUnderWay) await ask(verb);
      await withProgress(async (progress) => {
        progress.show({ doing: 'Waiting until every node has the new key' });
        await digestRotation?.finish(new AbortController().signal, (done) =>
          progress.show({ doing: 'Making fingerprints anew', done, unit: 'cards' }),
        );
      });
      return ask('showVault');
    },
    vaultStatus,
  );
}

async function finishHere(rotation: KeyRotation): Promise<void> {
  await withProgress((progress) =>
    rotation.finish(new AbortController().signal, ({ resealed, waiting }) => {
      const at = `${resealed.toLocaleString('en')} values sealed`;
      if (waiting) progress.show({ doing: 'Waiting until every node has the new key', at });
      else progress.show({ doing: 'Sealing anew', done: resealed, unit: 'values' });
    }),
  );
}
