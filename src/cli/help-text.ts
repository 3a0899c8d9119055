// The help of a command: first what it does, then how it is written.

import { type Command, Help, type HelpConfiguration, type Option } from 'commander';

const OWN = 'Options:';

export const helpText: HelpConfiguration = {
  /** What a command does is its own options; which gateway is asked comes behind them. */
  groupItems<T extends Command | Option>(all: T[], visible: T[], groupOf: (item: T) => string): Map<string, T[]> {
    const groups = Help.prototype.groupItems.call(new Help(), all, visible, groupOf as never) as Map<string, T[]>;
    const own = groups.get(OWN);
    return own ? new Map([[OWN, own], ...groups]) : groups;
  },
  formatHelp: (command: Command, help: Help): string => {
    const does = help.commandDescription(command);
    const width = help.helpWidth ?? 80;
    // The rest is as commander writes it, without the description in its middle.
    help.commandDescription = () => '';
    const rest = Help.prototype.formatHelp.call(help, command, help);
    return does === '' ? rest : `${help.boxWrap(help.styleCommandDescription(does), width)}\n\n${rest}`;
  },
};
