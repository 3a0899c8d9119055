// What is told of a terminal: everything but its secrets, of which only the names are told.

import { terminalSettings } from '../../domain/acquirer/terminal-settings.ts';
import { toldSettings } from '../../domain/merchant/setting.ts';
import type { StoredTerminal } from '../../storage/terminals.ts';
import { settingAnswers, settingLines } from '../merchants/settings.ts';
import type { Parts } from '../parts.ts';
import {
  type Answered,
  aFlag,
  aList,
  aMoment,
  anObject,
  aText,
  orNull,
  type RawAnswer,
  told,
} from '../verb/answers.ts';
import { minute, properties, rowsOf } from '../verb/table.ts';

export const terminalView = anObject({
  name: told(aText(), 'terminal'),
  connector: told(aText()),
  ...settingAnswers(terminalSettings),
  settings: told(aList(aText(), "Its connector's, each as name=value, without secrets.")),
  secrets: told(aList(aText(), 'Which secrets of its connector are set.')),
  connection: orNull(
    anObject(
      {
        answeredAt: orNull(aMoment('When its bank last answered this node.')),
        failingSince: orNull(aMoment('Since when its bank has not answered.')),
        reason: orNull(aText('Why not.')),
        leftOut: aFlag('Whether new payments avoid it until it can be reached again, on all nodes.'),
      },
      'What a running gateway knows of the way to its bank.',
    ),
  ),
});

export type TerminalView = Answered<typeof terminalView>;

export function terminalViewOf(
  terminal: StoredTerminal,
  { terminalOffice }: Parts<'terminalOffice'>,
): RawAnswer<typeof terminalView> {
  const { name, connector, secretNames: secrets } = terminal;
  const settings = Object.entries(terminal.settings).map(([name, value]) => `${name}=${valueText(value)}`);
  const known = terminalOffice?.connection(name);
  const connection = known && { ...known, leftOut: known.isLeftOut === true };
  return { name, connector, ...toldSettings(terminalSettings, terminal), settings, secrets, connection };
}

export const terminalRows = rowsOf<TerminalView>(
  {
    NAME: (one) => one.name,
    CONNECTOR: (one) => one.connector,
    STATE: (one) => (one.enabled ? 'enabled' : 'disabled'),
    CURRENCIES: (one) => one.currencies.join(' ') || 'all',
    BRANDS: (one) => one.brands.join(' ') || 'all',
    OPERATIONS: (one) => one.operations.join(' ') || 'all',
    CONNECTION: (one) => connectionText(one.connection),
  },
  'There are no terminals; add one with: tender terminal add <name> --connector <connector>',
);

export function wholeTerminal(terminal: TerminalView): string {
  return properties([
    ['Terminal', terminal.name],
    ['Connector', terminal.connector],
    ['Settings', terminal.settings.join(' ') || 'none'],
    ['Secrets', terminal.secrets.map((name) => `${name} is set`).join(', ') || 'none'],
    ...settingLines(terminalSettings, terminal),
    ['Connection', connectionText(terminal.connection)],
  ]);
}

/** A value as it may be given. */
export function valueText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return Array.isArray(value) ? value.join(',') : String(value);
}

function connectionText(connection: TerminalView['connection']): string {
  if (connection === null) return 'not known';
  const { answeredAt, failingSince, reason, leftOut } = connection;
  const left = leftOut ? ', left out' : '';
  if (failingSince !== null) return `failing since ${minute(failingSince)}${left}: ${reason}`;
  return `${answeredAt === null ? 'not used yet' : `answered at ${minute(answeredAt)}`}${left}`;
}
