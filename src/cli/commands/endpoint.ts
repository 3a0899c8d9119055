// `tender endpoint`, whose look is shown when nothing about it is given, and whose logo comes from a file.

import type { Command } from 'commander';
import { setLook } from '../../administration/merchants/looks.ts';
import { administrationCommand, withExample } from '../administration-command.ts';
import { readGivenFile } from '../given-file.ts';
import { addNoun, tell, withInputs } from '../verb-command.ts';

export function addEndpointCommands(program: Command): void {
  const noun = addNoun(program, 'endpoint');
  const look = administrationCommand(noun, 'look', 'show how the hosted pages of an endpoint look, or change it');
  const read = withInputs(look, setLook);
  look.action(async (...called: unknown[]) => {
    const { values, placed, changes } = read(called);
    if (Object.keys(changes).length === 0) return tell('showLook', values, placed);
    return tell('setLook', values, { ...placed, ...changes, ...(await logoIn(changes.logo)) });
  });
  withExample(look, "tender endpoint look 101 --name 'Ann’s Socks' --logo socks.png --accent '#0b6b3a'");
}

async function logoIn(path: unknown): Promise<{ logo?: string }> {
  if (typeof path !== 'string' || path === 'none') return {};
  return { logo: (await readGivenFile(path)).toString('base64') };
}
