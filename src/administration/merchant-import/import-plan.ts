// What a file of merchants would make, or everything that is wrong with it. Rows with the same login are one merchant
// with several endpoints; a row without a currency has none.

import { limitsComplaint, routeComplaint, sandboxComplaint } from '../../domain/merchant/endpoint-settings.ts';
import { type Endpoint, newEndpoint } from '../../domain/merchant/merchant.ts';
import { merchantSettings } from '../../domain/merchant/merchant-settings.ts';
import { firstSettings, type Vocabulary } from '../../domain/merchant/setting.ts';
import { nextMerchantId } from '../../domain/merchant/shard.ts';
import { isCurrency } from '../../domain/money/currency.ts';
import { shown } from '../../domain/text.ts';
import type { Configuration, StoredMerchant } from '../../storage/configuration.ts';
import { FIRST_PATH_ID } from '../lookups.ts';
import { LOGIN_FORM, LOGIN_RULE } from '../merchants/merchants.ts';
import {
  CURRENCY,
  ENDPOINT_ID,
  endpointCells,
  type ImportRow,
  LOGIN,
  merchantCells,
  type NumberedRow,
} from './import-columns.ts';

export type ImportContext = {
  readonly before: Configuration;
  readonly mode: 'sandbox' | 'production';
  readonly vocabulary: Vocabulary;
};

export type ImportPlan = { readonly merchants: readonly StoredMerchant[]; readonly endpoints: readonly Endpoint[] };

export class ImportFaults {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    this.faults = faults;
  }
}

export function planImport(rows: readonly NumberedRow[], context: ImportContext): ImportPlan | ImportFaults {
  const planner = new Planner(context);
  for (const { line, row } of rows) planner.take(line, row);
  return planner.plan();
}

class Planner {
  readonly #context: ImportContext;
  readonly #logins: ReadonlySet<string>;
  readonly #merchants = new Map<string, { readonly merchant: StoredMerchant; readonly said: string }>();
  readonly #endpoints: Endpoint[] = [];
  readonly #pathIds: Set<number>;
  readonly #faults: string[] = [];
  #nextMerchant: number;
  #nextPath: number;

  constructor(context: ImportContext) {
    const { merchants, endpoints, groups } = context.before;
    this.#context = context;
    this.#logins = new Set(merchants.map(({ login }) => login));
    this.#pathIds = new Set([...endpoints.map((one) => one.endpointId), ...groups.map((one) => one.groupId)]);
    this.#nextMerchant = nextMerchantId(merchants, 0);
    this.#nextPath = Math.max(FIRST_PATH_ID - 1, largest(this.#pathIds)) + 1;
  }

  take(line: number, row: ImportRow): void {
    const faults: string[] = [];
    const merchant = this.#merchantOf(row, faults);
    if (merchant) this.#addEndpoint(row, merchant, faults);
    this.#faults.push(...faults.map((one) => `line ${line}, ${one}`));
  }

  plan(): ImportPlan | ImportFaults {
    if (this.#faults.length > 0) return new ImportFaults(this.#faults);
    return { merchants: [...this.#merchants.values()].map(({ merchant }) => merchant), endpoints: this.#endpoints };
  }

  #merchantOf(row: ImportRow, faults: string[]): StoredMerchant | undefined {
    const login = row[LOGIN]?.trim() ?? '';
    const { vocabulary } = this.#context;
    const { values, faults: wrong } = merchantCells(row, { vocabulary });
    faults.push(...wrong);
    if (!LOGIN_FORM.test(login)) {
      faults.push(`column ${LOGIN}: ${shown(login)} ${LOGIN_RULE}`);
      return undefined;
    }
    if (this.#logins.has(login)) {
      faults.push(`column ${LOGIN}: there is a merchant "${login}" already`);
      return undefined;
    }
    const said = JSON.stringify(values);
    const known = this.#merchants.get(login);
    if (known) {
      if (said !== '{}' && said !== known.said) {
        faults.push(`column ${LOGIN}: merchant "${login}" stands above with other values; leave them out here`);
      }
      return known.merchant;
    }
    const merchantId = this.#nextMerchant++;
    const merchant = { merchantId, login, ...firstSettings(merchantSettings, merchantId, { name: login, ...values }) };
    this.#merchants.set(login, { merchant, said });
    return merchant;
  }

  #addEndpoint(row: ImportRow, { merchantId, login, name }: StoredMerchant, faults: string[]): void {
    const { mode, vocabulary, before } = this.#context;
    const currency = (row[CURRENCY]?.trim() ?? '').toUpperCase();
    const wantedId = row[ENDPOINT_ID]?.trim() ?? '';
    if (currency === '') {
      const isGiven = Object.entries(row).some(
        ([column, cell]) => column.startsWith('endpoint_') && cell.trim() !== '',
      );
      if (isGiven) faults.push(`column ${CURRENCY}: an endpoint needs an ISO 4217 code such as USD`);
      return;
    }
    if (!isCurrency(currency)) {
      faults.push(`column ${CURRENCY}: ${shown(currency)} is not an ISO 4217 code such as USD`);
      return;
    }
    const endpointId = this.#pathId(wantedId, faults);
    const { values, faults: wrong } = endpointCells(row, { vocabulary, currency });
    faults.push(...wrong);
    if (endpointId === undefined || wrong.length > 0) return;
    const own = { name: `${name} ${currency}`, sandbox: mode === 'sandbox', descriptor: login.toUpperCase() };
    const fresh = newEndpoint({ endpointId, merchantId, currency, ...own });
    const endpoint = { ...fresh, ...(values as Partial<Endpoint>) };
    const terminals = before.terminals.map((one) => one.name);
    const complaint = sandboxComplaint(values, mode) ?? limitsComplaint(endpoint) ?? routeComplaint(values, terminals);
    if (complaint === undefined) this.#endpoints.push(endpoint);
    else faults.push(`columns of the endpoint: ${complaint}`);
  }

  /** The one that is wanted, or the next free one. */
  #pathId(wanted: string, faults: string[]): number | undefined {
    if (wanted === '') {
      while (this.#pathIds.has(this.#nextPath)) this.#nextPath++;
      this.#pathIds.add(this.#nextPath);
      return this.#nextPath;
    }
    const id = /^[1-9]\d{0,14}$/.test(wanted) ? Number(wanted) : undefined;
    if (id === undefined) faults.push(`column ${ENDPOINT_ID}: a whole number above 0 is needed, not ${shown(wanted)}`);
    else if (this.#pathIds.has(id)) faults.push(`column ${ENDPOINT_ID}: ${id} is an endpoint or a group already`);
    else this.#pathIds.add(id);
    return id;
  }
}

function largest(ids: Iterable<number>): number {
  let most = 0;
  for (const id of ids) most = Math.max(most, id);
  return most;
}
