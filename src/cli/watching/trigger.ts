// `tender trigger`: plays a story in a sandbox, and prints its steps as they happen.

import type { Command } from 'commander';
import { listStories, storyList, storyRows, triggerStory } from '../../administration/sandbox/stories.ts';
import { administrationCommand, type CommonValues, given, withExample } from '../administration-command.ts';
import { type Administrator, asAdministrator } from '../administrator.ts';
import { Complaint } from '../complaint.ts';
import { mustBeMeant } from '../confirmation.ts';
import { say } from '../terminal.ts';
import { paused } from './persistent.ts';

const LOOK_EVERY_MS = 200;

type TriggerValues = CommonValues & {
  readonly list?: boolean;
  readonly callbackUrl?: string;
  readonly clientOrderid?: string;
  readonly yes?: boolean;
};

export function addTrigger(program: Command): void {
  const command = administrationCommand(program, 'trigger', 'play a story in a sandbox, such as late-callback')
    .argument('[story]', 'which one; --list shows them all')
    .option('--list', listStories.summary)
    .option('--callback-url <url>', triggerStory.given.callbackUrl.says)
    .option('--client-orderid <id>', triggerStory.given.clientOrderId.says)
    .option('--yes', 'do not ask before a story moves the clock of the sandbox')
    .action(trigger);
  withExample(command, 'tender trigger unknown-then-approved');
}

async function trigger(story: string | undefined, called: TriggerValues): Promise<void> {
  const { list, callbackUrl, clientOrderid: clientOrderId, yes = false, ...values } = called;
  if ((story === undefined) === !list) throw new Complaint('name a story, or give --list');
  if (story === undefined) {
    return say(values.json ? JSON.stringify(storyList, null, 2) : storyRows(storyList));
  }
  const { movesDays = 0 } = storyList.find(({ kind }) => kind === story) ?? {};
  if (movesDays > 0) await mustBeMeant(clockWarning(story, movesDays), yes);
  const asked = given({ story, callbackUrl, clientOrderId });
  return asAdministrator(values, (administrator) => play(administrator, values, asked));
}

function clockWarning(story: string, days: number): string {
  return (
    `${story} puts the clock of this sandbox ${days} days forward, and it never goes back: ` +
    'shops that go by the true time then refuse its callbacks, and it refuses what they sign with OAuth. ' +
    'Best play it in a data folder of its own (--data).'
  );
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
