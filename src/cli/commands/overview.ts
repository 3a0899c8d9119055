// `tender overview`: what goes on.

import type { Command } from 'commander';
import { showOverview } from '../../administration/overview/overview.ts';
import { administrationCommand, withExample } from '../administration-command.ts';
import { tell, withInputs } from '../verb-command.ts';

export function addOverview(program: Command): void {
  const command = administrationCommand(program, 'overview', showOverview.summary);
  const read = withInputs(command, showOverview);
  command.action((...called: unknown[]) => {
    const { values, changes } = read(called);
    return tell('showOverview', values, changes);
  });
  withExample(command, showOverview.example ?? '');
}
