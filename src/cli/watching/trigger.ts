// `tender trigger`: plays a story in a sandbox, and prints its steps as they happen.

import type { Command } from 'commander';
import { listStories, triggerStory } from '../../administration/sandbox/stories.ts';
import { administrationCommand, type CommonValues, given, withExample } from '../administration-command.ts';
import { type Administrator, asAdministrator } from '../administrator.ts';
import { Complaint } from '../complaint.ts';
import { say } from '../terminal.ts';
import { tell } from '../verb-command.ts';
import { paused } from './persistent.ts';

const LOOK_EVERY_MS = 200;

type TriggerValues = CommonValues & { readonly list?: boolean; readonly callbackUrl?: string };

export function addTrigger(program: Command): void {
  const command = administrationCommand(program, 'trigger', 'play a story in a sandbox, such as late-callback')
    .argument('[story]', 'which one; --list shows them all')
    .option('--list', listStories.summary)
    .option('--callback-url <url>', triggerStory.given.callbackUrl.says)
    .action((story: string | undefined, { list, callbackUrl, ...values }: TriggerValues) => {
      if ((story === undefined) === !list) throw new Complaint('name a story, or give --list');
      if (story === undefined) return tell('listStories', values);
      return asAdministrator(values, (administrator) => play(administrator, values, given({ story, callbackUrl })));
    });
  withExample(command, 'tender trigger unknown-then-approved');
}

async function play({ ask }: Administrator, { json }: CommonValues, asked: Record<string, unknown>): Promise<void> {
  const { runId } = await ask(triggerStory.name, asked);
  let printed = 0;
  for (;;) {
    const run = await ask('showRun', { runId });
    for (const { place, cause } of json ? [] : run.findings.slice(printed)) say(`${place}: ${cause}`);
    printed = run.findings.length;
    if (run.state !== 'under way') {
      if (run.state !== 'good') throw new Complaint(`the story came to no end: ${run.says ?? run.state}`);
      return say(json ? JSON.stringify(run, null, 2) : (run.says ?? ''));
    }
    await paused(LOOK_EVERY_MS);
  }
}
