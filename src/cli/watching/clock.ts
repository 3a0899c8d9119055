// `tender clock`: what the clock of a sandbox says, and putting it forward. A long move is followed until it is over.

import type { Command } from 'commander';
import type { AnswerTo } from '../../administration/administration.ts';
import { moveClock, movedText } from '../../administration/sandbox/clock.ts';
import { SPAN_HELP } from '../../domain/time/time-span.ts';
import { administrationCommand, answerWith, type CommonValues, withExample } from '../administration-command.ts';
import type { Administrator } from '../administrator.ts';
import { Complaint } from '../complaint.ts';
import { type ProgressLine, withProgress } from '../progress-line.ts';
import { addNoun } from '../verb-command.ts';

const LOOK_EVERY_MS = 300;

type ClockAnswer = AnswerTo<'moveClock'>;

export function addClockCommands(program: Command): void {
  const advance = administrationCommand(addNoun(program, 'clock'), 'advance', moveClock.summary)
    .argument('<span...>', SPAN_HELP)
    .action((span: readonly string[], values: CommonValues) =>
      answerWith(
        values,
        (administrator) => withProgress((progress) => advanceBy(span.join(' '), administrator, progress)),
        movedText,
      ),
    );
  withExample(advance, 'tender clock advance 30d\n  tender clock advance 1mo');
}

async function advanceBy(by: string, { ask }: Administrator, progress: ProgressLine): Promise<ClockAnswer> {
  const begun = await ask('moveClock', { by });
  const { runId } = begun;
  if (runId === null) return begun;
  let run = await ask('showRun', { runId });
  while (run.state === 'under way') {
    const { doing, done, total, unit } = run.progress;
    progress.show({ doing, done: done ?? 0, total: total ?? undefined, unit: unit ?? '' });
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    run = await ask('showRun', { runId });
  }
  if (run.state === 'good') return ask('showClock');
  throw new Complaint(`the clock did not come to where it should: ${run.says ?? run.state}`);
}
