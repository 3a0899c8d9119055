// `tender network`: the directory servers of card brands. Certificates and the private key come from files.

import type { Command } from 'commander';
import { setNetwork } from '../../administration/networks/networks.ts';
import { administrationCommand, mustChange, withExample } from '../administration-command.ts';
import { readGivenText } from '../given-file.ts';
import { addNoun, tell, withInputs } from '../verb-command.ts';

const FILES = ['ca', 'certificate', 'privateKey'] as const;

export function addNetworkCommands(program: Command): void {
  const noun = addNoun(program, 'network');
  const set = administrationCommand(noun, 'set', setNetwork.summary);
  const read = withInputs(set, setNetwork);
  set.action(async (...called: unknown[]) => {
    const { values, placed, changes } = read(called);
    mustChange(changes);
    return tell('setNetwork', values, { ...placed, ...changes, ...(await filesIn(changes)) });
  });
  withExample(
    set,
    'tender network set VISA --address https://ds.example.com/3ds --ca ca.pem --certificate our.pem --private-key our.key',
  );
}

async function filesIn(changes: Readonly<Record<string, unknown>>): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const name of FILES) {
    const path = changes[name];
    if (typeof path === 'string' && path !== 'none') texts[name] = await readGivenText(path);
  }
  return texts;
}
