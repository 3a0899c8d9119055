// What a connector of a terminal was given: public values, kept as they are, and secrets, which are sealed together and
// never repeated. Everything that is wrong with either is told at once.

import { type Connector, readConnectorSettings } from '../../acquirers/connector.ts';
import type { Spelling } from '../../domain/input-kinds.ts';
import type { Given } from '../verb/inputs.ts';

/** What is given now, over what was given before. */
export type ConnectorChange = {
  readonly settings?: Given | undefined;
  readonly secrets?: Given | undefined;
  /** Names of settings and secrets that are no longer to be given. */
  readonly unset?: readonly string[] | undefined;
};

export type ConnectorGiven = { readonly settings: Given; readonly secrets: Readonly<Record<string, string>> };

export const NOTHING_GIVEN: ConnectorGiven = { settings: {}, secrets: {} };

export function changedValues(
  connector: Connector,
  before: ConnectorGiven,
  change: ConnectorChange,
): { readonly given: ConnectorGiven; readonly faults: readonly string[] } {
  const { settings = {}, secrets = {}, unset = [] } = change;
  const faults = [...misplaced(connector, settings, secrets), ...missing(before, unset)];
  const spelled = Object.entries(settings)
    .filter(([name]) => fieldOf(connector, name)?.secret !== true)
    .map(([name, value]) => [name, unspelled(fieldOf(connector, name)?.kind.spelling, value)]);
  const given = {
    settings: without({ ...before.settings, ...Object.fromEntries(spelled) }, unset),
    secrets: without({ ...before.secrets, ...secrets }, unset) as Record<string, string>,
  };
  const isKnown = ([name]: [string, unknown]) => fieldOf(connector, name)?.secret === true;
  const known = Object.fromEntries(Object.entries(given.secrets).filter(isKnown));
  const read = readConnectorSettings(connector, { ...given.settings, ...known });
  return { given, faults: [...faults, ...('faults' in read ? read.faults : [])].map(named) };
}

/** The command line turns other names into words, but a connector's are given as they are. */
function named(fault: string): string {
  return fault.replace(/^[\w-]+(?=:| is missing)/, 'setting $&');
}

/** Secrets among what anybody may see, and the other way round. */
function misplaced(connector: Connector, settings: Given, secrets: Given): string[] {
  const open = Object.keys(settings)
    .filter((name) => fieldOf(connector, name)?.secret)
    .map((name) => `${name}: it is a secret; give it by --secret-file, --secret-stdin or --secret-env`);
  const names = Object.keys(connector.settings).filter((name) => fieldOf(connector, name)?.secret);
  const there = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
  const hidden = Object.keys(secrets)
    .filter((name) => !fieldOf(connector, name)?.secret)
    .map((name) => `${name}: connector ${connector.name} has no such secret; ${there}`);
  return [...open, ...hidden];
}

function missing({ settings, secrets }: ConnectorGiven, unset: readonly string[]): string[] {
  return unset
    .filter((name) => !Object.hasOwn(settings, name) && !Object.hasOwn(secrets, name))
    .map((name) => `${name}: it is not set, so it cannot be unset`);
}

function without(values: Given, names: readonly string[]): Given {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}

const FLAGS = new Map([
  ['on', true],
  ['true', true],
  ['off', false],
  ['false', false],
]);

function fieldOf({ settings }: Connector, name: string) {
  return Object.hasOwn(settings, name) ? settings[name] : undefined;
}

/** A value that was given as text, as its kind takes it: `8583` is a number, `on` a flag, `a,b` a list. */
export function unspelled(spelling: Spelling | undefined, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  switch (spelling) {
    case 'number':
    case 'id':
      return /^\d+$/.test(value) ? Number(value) : value;
    case 'flag':
    case 'state':
      return FLAGS.get(value) ?? value;
    case 'list':
      return listed(value);
    case 'ids':
      return listed(value).map((one) => unspelled('id', one));
    default:
      return value;
  }
}

function listed(text: string): string[] {
  const all = text.split(',').map((one) => one.trim());
  return all.filter((one) => one !== '');
}
