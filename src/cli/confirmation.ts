// Asks who sits at a terminal whether something is really meant. A program has nobody to ask, and says --yes instead.

import { createInterface } from 'node:readline/promises';
import { Complaint } from './complaint.ts';

type Terminal = { readonly input: NodeJS.ReadStream; readonly output: NodeJS.WriteStream };

const OWN: Terminal = { input: process.stdin, output: process.stderr };

/** Throws unless it is meant; `warning` says what will be, in a sentence. */
export async function mustBeMeant(warning: string, isMeant: boolean, terminal = OWN): Promise<void> {
  if (isMeant) return;
  const { input, output } = terminal;
  if (!input.isTTY || !output.isTTY) throw new Complaint(`${warning} Give --yes if you mean it.`, { exit: 'usage' });
  const asking = createInterface({ input, output });
  const answer = await asking.question(`${warning} Go on? [y/N] `).finally(() => asking.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new Complaint('nothing was done', { exit: 'failed' });
}
