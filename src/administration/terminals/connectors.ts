// The connectors there are: what each reaches, does and wants to know.

import type { Connector, ConnectorField } from '../../acquirers/connector.ts';
import { nameOf } from '../../domain/input-kinds.ts';
import { shown } from '../../domain/text.ts';
import { type Answered, aFlag, aList, anObject, anything, aText, orNull } from '../verb/answers.ts';
import { mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { properties, rowsOf, textTable } from '../verb/table.ts';
import { defineReading } from '../verb/verb.ts';
import { valueText } from './terminal-view.ts';

const connectorView = anObject({
  name: aText(),
  says: aText('What it reaches.'),
  does: aList(aText(), 'What it carries out.'),
  partial: aList(aText(), 'Follow-ups that may be of a part of the amount.'),
  settings: aList(
    anObject({
      name: aText(),
      says: aText(),
      takes: aText('What values it takes.'),
      secret: aFlag('Kept sealed and never shown.'),
      required: aFlag(),
      default: orNull(anything('Used when nothing is given.')),
    }),
  ),
});

type ConnectorView = Answered<typeof connectorView>;

export const listConnectors = defineReading({
  name: 'listConnectors',
  command: 'connector list',
  summary: 'list the kinds of banks that terminals can reach',
  given: {},
  answer: aList(connectorView),
  run: async (_, { connectors }) => connectors.map(connectorViewOf),
  show: rowsOf(
    { NAME: (one) => one.name, REACHES: (one) => one.says, DOES: (one) => one.does.join(' ') },
    'There are no connectors.',
  ),
});

export const showConnector = defineReading({
  name: 'showConnector',
  command: 'connector show',
  summary: 'show what a connector does and which settings its terminals have',
  given: { name: mustGive(nameOf('the name of a connector'), 'its name', { as: '<name>' }) },
  answer: connectorView,
  run: async ({ name }, { connectors }) => connectorViewOf(connectorOf(name, connectors)),
  show: whole,
});

export function connectorOf(name: string, connectors: readonly Connector[]): Connector {
  const connector = connectors.find((one) => one.name === name);
  if (connector) return connector;
  const there = connectors.map((one) => one.name).join(', ');
  throw new InvalidInput(`there is no connector ${shown(name)}; there are ${there}`);
}

function connectorViewOf({ name, says, does, partial, settings }: Connector) {
  return { name, says, does, partial, settings: Object.entries(settings).map(settingViewOf) };
}

function settingViewOf([name, { kind, says, secret, optional, default: first }]: [string, ConnectorField]) {
  return { name, says, takes: kind.what, secret, required: !optional && first === undefined, default: first };
}

function whole({ name, says, does, partial, settings }: ConnectorView): string {
  const rows = settings.map((one) => [one.name, needOf(one), one.takes, one.says]);
  return [
    properties([
      ['Connector', name],
      ['Reaches', says],
      ['Does', does.join(', ')],
      ['In parts', partial.join(', ') || 'nothing'],
    ]),
    textTable(['SETTING', 'NEED', 'TAKES', 'MEANING'], rows),
  ].join('\n\n');
}

/** `required secret`, `optional`, `or 8583`. */
export function needOf(setting: Pick<ConnectorView['settings'][number], 'required' | 'secret' | 'default'>): string {
  const { required, secret, default: first } = setting;
  const need = first === null || first === undefined ? (required ? 'required' : 'optional') : `or ${valueText(first)}`;
  return secret ? `${need} secret` : need;
}
