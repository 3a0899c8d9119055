// A connector is a value: the settings it takes, what it can do, and how it is opened. The list of connectors is in
// connectors.ts; nothing outside a connector's own folder knows its name.

import type { Clock } from '../domain/clock.ts';
import { type InputKind, Misread } from '../domain/input-kinds.ts';
import { Secret } from '../domain/secret.ts';
import type { Acquirer, InstructionKind } from './acquirer.ts';

/** The longest wait for a bank. A node's lease of an order is 45 seconds; the answer must come before it runs out. */
export const LONGEST_ANSWER_MS = 40_000;

/** A value that a connector needs from the operator. */
export type ConnectorField<T = unknown, Kept = T> = {
  readonly kind: InputKind<T>;
  /** A phrase for help and reference. */
  readonly says: string;
  /** Kept sealed, never shown, and given to the connector as a `Secret`. */
  readonly secret: boolean;
  /** Used when nothing is given; without it the value must be given, unless it is optional. */
  readonly default?: T | undefined;
  readonly optional: boolean;
  /** Not a value: tells the compiler what the connector gets. */
  readonly kept?: Kept;
};

type FieldDetails<T> = { readonly says: string; readonly default?: T };

export function requiredValue<T>(kind: InputKind<T>, details: FieldDetails<T>): ConnectorField<T> {
  return { kind, secret: false, optional: false, ...details };
}

export function optionalValue<T>(
  kind: InputKind<T>,
  details: { readonly says: string },
): ConnectorField<T, T | undefined> {
  return { kind, secret: false, optional: true, ...details };
}

/** Secrets are texts. */
export function secretValue(kind: InputKind<string>, details: { readonly says: string }) {
  return { kind, secret: true, optional: false, ...details } as ConnectorField<string, Secret<string>>;
}

export function optionalSecretValue(kind: InputKind<string>, details: { readonly says: string }) {
  return { kind, secret: true, optional: true, ...details } as ConnectorField<string, Secret<string> | undefined>;
}

// biome-ignore lint/suspicious/noExplicitAny: a form holds fields of every type
export type ConnectorForm = Readonly<Record<string, ConnectorField<any, any>>>;

export type ConnectorValues<Form extends ConnectorForm> = {
  readonly [Name in keyof Form]: Form[Name] extends ConnectorField<infer _, infer Kept> ? Kept : never;
};

/** What a connector finds around it when it is opened. */
export type ConnectorSurroundings = {
  readonly clock: Clock;
  /** The terminal's name. */
  readonly terminal: string;
  /** The public address at which the bank's notices reach this terminal. */
  readonly noticeUrl: string;
};

export type Connector<Form extends ConnectorForm = ConnectorForm> = {
  readonly name: string;
  /** What it reaches, in a phrase for people. */
  readonly says: string;
  readonly settings: Form;
  /** What it can carry out. */
  readonly does: readonly InstructionKind[];
  /** Follow-ups that may be of a part of the amount. */
  readonly partial: readonly ('capture' | 'cancel' | 'refund')[];
  /**
   * How an unknown outcome is asked about: by a message of its own, by sending the same instruction again, which its
   * bank recognises, or not at all; then it is taken back at once.
   */
  readonly inquiry: 'message' | 'repeat' | 'none';
  /** Whether follow-ups, inquiries and reversals need the card again. */
  readonly needsCard: boolean;
  /** Opens it. It must not wait for the bank, and must not fail because the bank is away. */
  open(settings: ConnectorValues<Form>, surroundings: ConnectorSurroundings): Acquirer;
};

/** Keeps the types of a connector's settings, and forgets them where connectors are listed. */
export function defineConnector<const Form extends ConnectorForm>(connector: Connector<Form>): Connector {
  return connector as unknown as Connector;
}

/**
 * The values of a connector's settings, or everything that is wrong with them. Secrets may be given as such, and are
 * never repeated.
 */
export function readConnectorSettings(
  { name, settings }: Pick<Connector, 'name' | 'settings'>,
  given: Readonly<Record<string, unknown>>,
): { readonly values: Readonly<Record<string, unknown>> } | { readonly faults: readonly string[] } {
  const faults = Object.keys(given)
    .filter((one) => !Object.hasOwn(settings, one))
    .map((one) => `${one}: connector ${name} has no such setting; it has ${Object.keys(settings).join(', ')}`);
  const values: Record<string, unknown> = {};
  for (const [field, { kind, default: first, optional: isOptional, secret }] of Object.entries(settings)) {
    const value = Object.hasOwn(given, field) ? plain(given[field]) : first;
    if (value === undefined) {
      if (!isOptional) faults.push(`${field} is missing: ${kind.what} is needed`);
      continue;
    }
    const read = kind.read(value, undefined);
    if (!(read instanceof Misread)) values[field] = secret ? new Secret(read) : read;
    else if (secret) faults.push(`${field}: ${kind.what} is needed`);
    else faults.push(read.standsAlone ? read.says : `${field}: ${read.says}`);
  }
  return faults.length > 0 ? { faults } : { values };
}

function plain(value: unknown): unknown {
  return value instanceof Secret ? value.reveal() : value;
}
