// Where key-encryption keys are: in a key file, behind a key command, or in both while an installation moves from one
// to the other. A key behind a command is known in the database as `command:<id>`, so either finds its own.

import { openKeyCommand } from './key-command.ts';
import { openKeyFile } from './key-file.ts';
import { BEHIND_COMMAND, isBehindCommand, KeyHolderError, type KeyProvider } from './vault.ts';

export type KeyPlaces = {
  readonly file?: KeyProvider | undefined;
  readonly command?: KeyProvider | undefined;
  /** Where data keys are wrapped when there are both; behind the command unless said. */
  readonly wrapWith?: 'file' | 'command' | undefined;
};

/** Thrown when a data key is wrapped under a key of a place that was not named. */
export class KeyPlaceMissing extends KeyHolderError {
  override readonly name = 'KeyPlaceMissing';
}

export function keyPlaceMissing(kekId: string): KeyPlaceMissing {
  const option = isBehindCommand(kekId) ? '--key-command or TENDER_KEY_COMMAND' : '--key-file or TENDER_KEY_FILE';
  return new KeyPlaceMissing(`this database was sealed with the key ${kekId}; name where it is with ${option}`);
}

export function keysFrom({ file, command, wrapWith = 'command' }: KeyPlaces): KeyProvider {
  const prefixed = command && behindCommand(command);
  const ofKey = (kekId: string): KeyProvider => {
    const place = isBehindCommand(kekId) ? prefixed : file;
    if (place) return place;
    throw keyPlaceMissing(kekId);
  };
  const chosen = (wrapWith === 'file' ? file : undefined) ?? prefixed ?? file;
  if (!chosen) throw new KeyPlaceMissing('no key-encryption key: name a key file or a key command');
  return {
    wrap: (dataKey) => chosen.wrap(dataKey),
    unwrap: async (wrapped, kekId) => ofKey(kekId).unwrap(wrapped, kekId),
    rotate: () => chosen.rotate(),
    retire: async (kekId) => ofKey(kekId).retire(kekId),
  };
}

/** How an installation names them. */
export type NamedKeyPlaces = {
  readonly keyFile?: string | undefined;
  readonly keyCommand?: string | undefined;
  readonly wrapWith?: KeyPlaces['wrapWith'];
};

/** The key file must exist. */
export async function openKeyPlaces({ keyFile, keyCommand, wrapWith }: NamedKeyPlaces): Promise<KeyProvider> {
  const file = keyFile === undefined ? undefined : await openKeyFile(keyFile, { create: false });
  const command = keyCommand === undefined ? undefined : openKeyCommand(keyCommand);
  return keysFrom({ file, command, wrapWith });
}

function behindCommand(command: KeyProvider): KeyProvider {
  const bare = (kekId: string) => kekId.slice(BEHIND_COMMAND.length);
  return {
    async wrap(dataKey) {
      const { wrapped, kekId } = await command.wrap(dataKey);
      return { wrapped, kekId: BEHIND_COMMAND + kekId };
    },
    unwrap: (wrapped, kekId) => command.unwrap(wrapped, bare(kekId)),
    rotate: async () => BEHIND_COMMAND + (await command.rotate()),
    retire: (kekId) => command.retire(bare(kekId)),
  };
}
