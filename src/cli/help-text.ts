// The help of a command: first what it does, then how it is written.

import { type Command, Help, type HelpConfiguration } from 'commander';

export const helpText: HelpConfiguration = {
  formatHelp: (command: Command, help: Help): string => {
    const does = help.commandDescription(command);
    const width = help.helpWidth ?? 80;
    // The rest is as commander writes it, without the description in its middle.
    help.commandDescription = () => '';
    const rest = Help.prototype.formatHelp.call(help, command, help);
    return does === '' ? rest : `${help.boxWrap(help.styleCommandDescription(does), width)}\n\n${rest}`;
  },
};
