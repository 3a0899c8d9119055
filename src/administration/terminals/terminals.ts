// Terminals: ways to banks, each a connector with its settings. Its name, its connector and what has gone through it
// stay; secrets are taken and sealed, and never told.

import { DEMO_TERMINAL, newTerminal, TERMINAL_NAME, type Terminal } from '../../domain/acquirer/terminal.ts';
import { terminalComplaint, terminalSettings } from '../../domain/acquirer/terminal-settings.ts';
import { formed, line, listed, namedValues, nameOf } from '../../domain/input-kinds.ts';
import { InvalidSettings, readSettings } from '../../domain/merchant/setting.ts';
import { Secret } from '../../domain/secret.ts';
import { shown } from '../../domain/text.ts';
import type { Configuration } from '../../storage/configuration.ts';
import type { StoredTerminal } from '../../storage/terminals.ts';
import { terminalPlace } from '../../vault/places.ts';
import { settingInputs } from '../merchants/settings.ts';
import type { Parts, TerminalOffice } from '../parts.ts';
import { type Answered, aFlag, aList, aMoment, anObject, aText, aWord, orNull, told } from '../verb/answers.ts';
import { type Given, mayGive, mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { millisecond, textTable } from '../verb/table.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';
import { type ConnectorChange, type ConnectorGiven, changedValues, NOTHING_GIVEN } from './connector-values.ts';
import { connectorOf } from './connectors.ts';
import { terminalRows, terminalView, terminalViewOf, wholeTerminal } from './terminal-view.ts';

const theTerminal = mustGive(nameOf('the name of a terminal'), 'the terminal', { as: '<name>', told: 'terminal' });

const connectorInputs = {
  settings: mayGive(namedValues, 'a setting of its connector, see "tender connector show"; may be repeated', {
    as: '--set <name=value>',
  }),
  secrets: mayGive(namedValues, "secrets of its connector, by their names: they are sealed, and nobody's to see again"),
};

export const addTerminal = defineVerb({
  name: 'addTerminal',
  summary: 'add a terminal: a connector with its settings',
  role: 'administrator',
  conduct: 'change',
  given: {
    name: mustGive(
      formed(TERMINAL_NAME, 'a small letter and then up to 39 small letters, digits or "-"'),
      'what it is called from now on',
      { as: '<name>', told: 'terminal' },
    ),
    connector: mustGive(nameOf('the name of a connector'), 'which kind of bank it reaches; it stays', {
      as: '--connector <name>',
      told: true,
    }),
    ...connectorInputs,
    ...settingInputs(terminalSettings),
  },
  answer: terminalView,
  run: async ({ name, connector: wanted, settings, secrets, ...given }, parts) => {
    const { clock, configuration, connectors, terminals } = parts;
    const before = await configuration.read();
    if (before.terminals.some((one) => one.name === name)) {
      throw new InvalidInput(`there is a terminal "${name}" already; "tender terminal set ${name}" changes it`);
    }
    const connector = connectorOf(wanted, connectors);
    const fresh = newTerminal({ name, connector: connector.name });
    const changed = changedValues(connector, NOTHING_GIVEN, { settings, secrets });
    const terminal = withChanges(fresh, given, changed.faults);
    const stored = { ...terminal, ...(await sealedValues(name, changed.given, parts)) };
    await terminals.add(stored, clock.now());
    return terminalViewOf(stored, {});
  },
  show: (terminal) => `Added terminal ${terminal.name}.\n${wholeTerminal(terminal)}`,
});

export const setTerminal = defineVerb({
  name: 'setTerminal',
  summary: 'change a terminal',
  role: 'administrator',
  conduct: 'change',
  given: {
    name: theTerminal,
    connector: mayGive(nameOf('the name of a connector'), 'its connector, which stays', { told: true }),
    ...connectorInputs,
    unset: mayGive(listed(line(100)), 'settings and secrets of its connector that it is to have no longer', {
      as: '--unset <names>',
      told: true,
    }),
    ...settingInputs(terminalSettings),
  },
  mustChange: true,
  answer: terminalView,
  run: async ({ name, connector: wanted, settings, secrets, unset, ...given }, parts) => {
    const { configuration, connectors, terminals } = parts;
    const old = terminalOf(name, await configuration.read());
    if (wanted !== undefined && wanted !== old.connector) {
      throw new InvalidInput(
        `connector: a terminal keeps its connector, ${old.connector}; add another terminal for ${shown(wanted)}`,
      );
    }
    const isSame = settings === undefined && secrets === undefined && unset === undefined;
    if (!isSame) refuseOwn(name);
    const change = { settings, secrets, unset };
    const before = isSame ? undefined : await openedValues(old, change, parts);
    const changed = before && changedValues(connectorOf(old.connector, connectors), before, change);
    const fresh = withChanges(old, given, changed?.faults);
    const stored = { ...fresh, ...(changed && (await sealedValues(name, changed.given, parts))) };
    await refuseUnderWay(old, stored, parts);
    await terminals.set(stored, isSame ? 'same secrets' : 'new secrets');
    return terminalViewOf(stored, parts);
  },
  show: wholeTerminal,
  further: [
    {
      words: 'terminal disable',
      summary: 'send no new payments to a terminal; what has begun there ends there',
      takes: ['name'],
      gives: { enabled: false },
      show: ({ name }) => `Terminal ${name} is disabled.`,
    },
    {
      words: 'terminal enable',
      summary: 'send new payments to a terminal again',
      takes: ['name'],
      gives: { enabled: true },
      show: ({ name }) => `Terminal ${name} is enabled.`,
    },
  ],
});

export const listTerminals = defineReading({
  name: 'listTerminals',
  command: 'terminal list',
  summary: 'list all terminals',
  given: {},
  answer: aList(terminalView),
  run: async (_, parts) => (await parts.configuration.read()).terminals.map((one) => terminalViewOf(one, parts)),
  show: terminalRows,
});

export const showTerminal = defineReading({
  name: 'showTerminal',
  command: 'terminal show',
  summary: 'show everything about a terminal but its secrets',
  given: { name: theTerminal },
  answer: terminalView,
  run: async ({ name }, parts) => terminalViewOf(terminalOf(name, await parts.configuration.read()), parts),
  show: wholeTerminal,
});

const testedTerminal = anObject({
  name: told(aText(), 'terminal'),
  works: told(aFlag()),
  lines: aList(anObject({ what: aText(), works: aFlag(), detail: orNull(aText()) })),
});

export const testTerminal = defineVerb({
  name: 'testTerminal',
  summary: 'try what can be tried of a terminal without money: connect, sign on, authenticate',
  role: 'operator',
  conduct: 'outside',
  given: { name: theTerminal },
  answer: testedTerminal,
  run: async ({ name }, parts) => {
    const lines = await knownBy(await officeFor(name, parts), name, (office) => office.test(name));
    return { name, works: lines.every((one) => one.works), lines };
  },
  show: testText,
});

export const readTerminalTrace = defineVerb({
  name: 'readTerminalTrace',
  command: 'terminal trace',
  summary: 'show the latest messages between a terminal and its bank, masked',
  role: 'operator',
  conduct: 'cards',
  given: { name: theTerminal },
  answer: aList(anObject({ at: aMoment(), direction: aWord(['out', 'in']), text: aText() })),
  run: async ({ name }, parts) => knownBy(await officeFor(name, parts), name, async (office) => office.traced(name)),
  show: (lines) =>
    lines.length === 0
      ? 'No messages are kept here: none was sent since the gateway started, or its connector keeps none.'
      : textTable(
          ['AT', '', 'MESSAGE'],
          lines.map(({ at, direction, text }) => [millisecond(at), direction === 'out' ? '->' : '<-', text]),
        ),
});

/** A line for each thing that was tried. */
export function testText({ name, lines }: Answered<typeof testedTerminal>): string {
  const rows = lines.map(({ what, works, detail }) => [works ? 'ok' : 'FAILS', what, detail ?? '']);
  return rows.length === 0 ? `Terminal ${name}: nothing can be tried without money.` : textTable(['', name, ''], rows);
}

function terminalOf(name: string, { terminals }: Configuration): StoredTerminal {
  const terminal = terminals.find((one) => one.name === name);
  if (terminal) return terminal;
  throw new InvalidInput(`there is no terminal ${shown(name)}; "tender terminal list" shows all`);
}

/** The changed terminal; throws with everything that is wrong, also with its connector. */
function withChanges<T extends Terminal>(old: T, given: Given, faults: readonly string[] = []): T {
  const read = readSettings(terminalSettings, given, { vocabulary: { operations: [], fields: [] } });
  const wrong = read instanceof InvalidSettings ? read.faults : [];
  const terminal = { ...old, ...(read instanceof InvalidSettings ? {} : read) };
  const complaint = wrong.length === 0 ? terminalComplaint(terminal) : undefined;
  const all = [...faults, ...wrong, ...(complaint === undefined ? [] : [complaint])];
  if (all.length > 0) throw new InvalidInput(...all);
  return terminal;
}

function refuseOwn(name: string): void {
  if (name !== DEMO_TERMINAL) return;
  throw new InvalidInput(
    `${DEMO_TERMINAL} is the gateway's own simulated bank, which "tender start" sets up; its connector takes nothing here`,
  );
}

/** What says where a bank is, and who we are there, stays while the end of a payment is not known. */
async function refuseUnderWay(
  old: StoredTerminal,
  fresh: StoredTerminal,
  { terminals }: Parts<'terminals'>,
): Promise<void> {
  const names = new Set([...Object.keys(old.settings), ...Object.keys(fresh.settings)]);
  const differs = (one: Given, other: Given) => (name: string) =>
    JSON.stringify(one[name]) !== JSON.stringify(other[name]);
  const changed = [
    ...[...names].filter(differs(old.settings, fresh.settings)),
    ...['merchantNumber', 'terminalNumber'].filter(differs(old, fresh)),
  ];
  if (changed.length === 0 || !(await terminals.hasUnderWay(old.name))) return;
  throw new InvalidInput(
    `payments are under way at terminal ${old.name}, so ${changed.join(', ')} must stay; disable it and wait until they have ended (secrets and limits can change at any time)`,
  );
}

/** Secrets that are all given anew or taken away need not open: so those that nobody can open any more are replaced. */
async function openedValues(
  { name, settings, secretNames, sealed }: StoredTerminal,
  { secrets = {}, unset = [] }: ConnectorChange,
  { vault }: Parts<'vault'>,
): Promise<ConnectorGiven> {
  const isReplaced = secretNames.every((one) => Object.hasOwn(secrets, one) || unset.includes(one));
  if (!sealed || isReplaced) return { settings, secrets: Object.fromEntries(secretNames.map((one) => [one, ''])) };
  const opened = await vault.reveal(sealed, terminalPlace({ name }));
  return { settings, secrets: JSON.parse(opened.reveal()) };
}

async function sealedValues(name: string, { settings, secrets }: ConnectorGiven, { vault }: Parts<'vault'>) {
  const secretNames = Object.keys(secrets).sort();
  if (secretNames.length === 0) return { settings, secretNames, sealed: undefined };
  if (vault.isStale) await vault.freshen();
  return { settings, secretNames, sealed: vault.seal(new Secret(JSON.stringify(secrets)), terminalPlace({ name })) };
}

async function officeFor(
  name: string,
  { configuration, terminalOffice }: Parts<'configuration' | 'terminalOffice'>,
): Promise<TerminalOffice> {
  terminalOf(name, await configuration.read());
  if (terminalOffice) return terminalOffice;
  throw new InvalidInput('no gateway runs here, and only a running one is connected to banks; start it first');
}

async function knownBy<T>(
  office: TerminalOffice,
  name: string,
  ask: (office: TerminalOffice) => Promise<T | undefined> | undefined,
): Promise<T> {
  const answer = await ask(office);
  if (answer !== undefined) return answer;
  throw new InvalidInput(`the running gateway does not know terminal ${name} yet; try again in a moment`);
}
