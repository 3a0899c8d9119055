// A file of merchants: its rows come in parts, as many as one request takes, and wait in memory; then all of them are
// made in one transaction, or none.

import { randomBytes, randomUUID } from 'node:crypto';
import { flag, type InputKind, Misread, nameOf } from '../../domain/input-kinds.ts';
import { Secret } from '../../domain/secret.ts';
import type { StoredMerchant } from '../../storage/configuration.ts';
import { controlKeyPlace } from '../../vault/places.ts';
import type { Parts } from '../parts.ts';
import { aFlag, aList, aNumber, anObject, aText, told, toldOnce } from '../verb/answers.ts';
import { mayGive, mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { defineVerb } from '../verb/verb.ts';
import { importColumns, type NumberedRow } from './import-columns.ts';
import { ImportFaults, planImport } from './import-plan.ts';

/** The most rows of one part of a file. */
export const MOST_ROWS_OF_PART = 1_000;
/** More faults than anybody mends at once are not told. */
const MOST_FAULTS = 50;
const KEY_ID_BYTES = 4;

const SAYS = `a list of at most ${MOST_ROWS_OF_PART} rows, each a line number and an object of columns and texts`;

const partOfRows: InputKind<readonly NumberedRow[]> = {
  schema: { type: 'array', maxItems: MOST_ROWS_OF_PART, items: { type: 'object' } },
  what: SAYS,
  spelling: 'text',
  read: (value) => {
    const isPart = Array.isArray(value) && value.length <= MOST_ROWS_OF_PART && value.every(isNumberedRow);
    return isPart ? (value as NumberedRow[]) : new Misread(`${SAYS} is needed`);
  },
};

function isNumberedRow(value: unknown): boolean {
  const { line, row } = (value ?? {}) as { line?: unknown; row?: unknown };
  if (!Number.isSafeInteger(line) || typeof row !== 'object' || row === null) return false;
  return Object.entries(row).every(([column, cell]) => importColumns.includes(column) && typeof cell === 'string');
}

const theImport = mustGive(nameOf('the name of an import'), 'what beginMerchantImport answered');

export const beginMerchantImport = defineVerb({
  name: 'beginMerchantImport',
  summary: 'begin to import a file of merchants; one that was begun before is given up',
  role: 'administrator',
  conduct: 'outside',
  given: {},
  answer: anObject({ import: aText() }),
  run: async (_, { imports }) => ({ import: imports.begin() }),
});

export const addMerchantRows = defineVerb({
  name: 'addMerchantRows',
  summary: 'add rows to the file of merchants that is under way',
  role: 'administrator',
  conduct: 'outside',
  given: { import: theImport, rows: mustGive(partOfRows, 'the rows') },
  answer: anObject({ rows: aNumber('How many there are now.') }),
  run: async ({ import: id, rows }, { imports }) => ({ rows: imports.add(id, rows) }),
});

const keyOfMerchant = anObject({ login: aText(), keyId: aText(), controlKey: toldOnce(aText('Shown this once.')) });

export const importMerchants = defineVerb({
  name: 'importMerchants',
  summary: 'make all merchants and endpoints of the file that is under way, or none',
  role: 'administrator',
  conduct: 'change',
  given: {
    import: theImport,
    dryRun: mayGive(flag, 'only tell what would be made', { told: true }),
  },
  answer: anObject({
    merchants: told(aNumber()),
    endpoints: told(aNumber()),
    dryRun: told(aFlag()),
    logins: aList(aText()),
    keys: aList(keyOfMerchant, 'None of a dry run.'),
  }),
  run: async ({ import: id, dryRun = false }, parts) => {
    const { clock, configuration, imports, mode, vocabulary } = parts;
    const before = await configuration.read();
    const plan = planImport(imports.rowsOf(id), { before, mode, vocabulary });
    if (plan instanceof ImportFaults) throw tooMany(plan.faults);
    const { merchants, endpoints } = plan;
    if (merchants.length === 0) throw new InvalidInput('there are no rows');
    const made = dryRun ? [] : await keysFor(merchants, parts);
    if (!dryRun) {
      const keys = made.map(({ stored }) => stored);
      await configuration.addAll({ merchants, endpoints, keys }, clock.now());
      parts.afterwards?.(() => imports.end());
    }
    const logins = merchants.map(({ login }) => login);
    const keys = made.map(({ login, stored, key }) => ({ login, keyId: stored.keyId, controlKey: key.reveal() }));
    return { merchants: merchants.length, endpoints: endpoints.length, dryRun, logins, keys };
  },
});

function tooMany(faults: readonly string[]): InvalidInput {
  const more = faults.length - MOST_FAULTS;
  return new InvalidInput(...faults.slice(0, MOST_FAULTS), ...(more > 0 ? [`and ${more} faults more`] : []));
}

async function keysFor(merchants: readonly StoredMerchant[], { clock, vault }: Parts<'clock' | 'vault'>) {
  if (vault.isStale) await vault.freshen();
  const validFrom = clock.now();
  return merchants.map(({ merchantId, login }) => {
    const keyId = `control-${randomBytes(KEY_ID_BYTES).toString('hex')}`;
    const key = new Secret(randomUUID().toUpperCase());
    const sealed = vault.seal(key, controlKeyPlace({ merchantId, keyId }));
    const rest = { validFrom, validUntil: undefined, operations: [] };
    return { login, key, stored: { kind: 'control' as const, merchantId, keyId, sealed, ...rest } };
  });
}
