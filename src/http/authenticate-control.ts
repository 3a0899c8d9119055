// A request signed with a control: who signed it, and which of the two readings of its amount was signed.

import type { Fault } from '../domain/errors.ts';
import { fault } from '../domain/errors.ts';
import { isValidAt, type Merchant } from '../domain/merchant/merchant.ts';
import { isCurrency } from '../domain/money/currency.ts';
import { type Notation, readFigure } from '../domain/money/money.ts';
import { signedAmount as amountKind, currencyCode as currencyKind } from '../operations/field-kinds.ts';
import { type Parameters, Unreadable } from '../operations/form.ts';
import type { ControlAuth } from '../operations/operation.ts';
import type { LiveConfiguration, PathTarget } from '../processing/node/live-configuration.ts';
import { AcceptedControl, controlFits, KEY_PLACEHOLDER, readControl } from '../signing/control.ts';
import type { Authenticated, NotAuthenticated } from './authenticated.ts';

/** Ids come from outside, so replies repeat only their beginning. */
const LONGEST_ID_SHOWN = 40;

export type ControlRequest = {
  readonly pathId: string;
  readonly target: PathTarget | undefined;
  readonly parameters: Parameters;
  readonly raw: ReadonlyMap<string, string>;
  readonly now: number;
};

/** One way to read the signed values: as sent or trimmed, the amount in one notation or the other. */
type Reading = { readonly values: readonly string[]; readonly notation: Notation };

export function authenticateControl(
  auth: ControlAuth,
  request: ControlRequest,
  configuration: LiveConfiguration,
): Authenticated | NotAuthenticated {
  const readings = readingsOf(auth, request);
  const merchant = auth.over.includes('login')
    ? configuration.byLogin(request.parameters.get('login') ?? '')
    : request.target && configuration.byId(request.target.merchantId);
  const sent = readControl(request.parameters.get('control') ?? '');
  const signature = merchant && sent && signatureOf(merchant, sent, readings, request);
  if (signature) {
    const { values, notation } = signature;
    return { merchant, notation, signed: true, control: new AcceptedControl(sent, values) };
  }
  if (sent && isSignedByAnother(auth, sent, readings, request, configuration)) {
    return { faults: [endpointNotFound(request.pathId)] };
  }
  const wrong = signedFaults(auth, request);
  const faults = [fault('invalid-control-code', { field: 'control' }), ...wrong] as const;
  // With a missing or wrong value nobody can say what should have been signed.
  return wrong.length > 0 ? { faults } : { faults, expectedString: readings[0]?.values.join('') + KEY_PLACEHOLDER };
}

/** The reading that was signed with a key the merchant has. */
function signatureOf(
  merchant: Merchant,
  sent: Buffer,
  readings: readonly Reading[],
  { parameters, now }: ControlRequest,
): Reading | undefined {
  if (!isOwnLogin(parameters, merchant)) return undefined;
  for (const controlKey of merchant.controlKeys) {
    if (!isValidAt(controlKey, now)) continue;
    const fitting = readings.find(({ values }) => controlFits(sent, values, controlKey.key));
    if (fitting) return fitting;
  }
  return undefined;
}

/**
 * Without a login, a request for a wrong endpoint looks like one with a wrong signature. In a sandbox every merchant's
 * keys are tried to tell them apart; in production there may be thousands of merchants, so they are not.
 */
function isSignedByAnother(
  { over }: ControlAuth,
  sent: Buffer,
  readings: readonly Reading[],
  request: ControlRequest,
  { isSandbox, merchants }: LiveConfiguration,
): boolean {
  if (!isSandbox || over.includes('login')) return false;
  for (const merchant of merchants) if (signatureOf(merchant, sent, readings, request)) return true;
  return false;
}

export function endpointNotFound(pathId: string): Fault {
  return fault('endpoint-not-found', { hint: pathId.slice(0, LONGEST_ID_SHOWN) });
}

/** A login in the body may be left out, but must not be another merchant's. */
export function isOwnLogin(parameters: Parameters, merchant: Merchant): boolean {
  return (parameters.get('login') ?? merchant.login) === merchant.login;
}

function readingsOf(auth: ControlAuth, { pathId, parameters, raw }: ControlRequest): Reading[] {
  const amounts = amountReadings(auth, parameters);
  const readings: Reading[] = [];
  for (const source of isTrimmed(auth, parameters, raw) ? [parameters, raw] : [parameters]) {
    const over = formulaOver(auth, source);
    for (const { minor, notation } of amounts) {
      const values = over.map((name) => {
        if (name === 'endpointId') return pathId;
        if (name === 'amount' && minor !== undefined) return minor;
        return source.get(name) ?? '';
      });
      readings.push({ values, notation });
    }
  }
  return readings;
}

/** An amount and currency left out of the request are left out of the formula too (D-22). */
function formulaOver({ over }: ControlAuth, source: ReadonlyMap<string, string>): readonly string[] {
  const isLeftOut = !source.get('amount') && !source.get('currency');
  return isLeftOut ? over.filter((name) => name !== 'amount' && name !== 'currency') : over;
}

function isTrimmed(auth: ControlAuth, parameters: Parameters, raw: ReadonlyMap<string, string>): boolean {
  return raw !== parameters && auth.over.some((name) => (raw.get(name) ?? '') !== (parameters.get(name) ?? ''));
}

const NOTATIONS = ['minor', 'major'] as const satisfies Notation[];

type AmountReading = { readonly minor: string | undefined; readonly notation: Notation };

const AS_WRITTEN: AmountReading = { minor: undefined, notation: 'minor' };

/** "1042" may mean 10.42 or 1042.00; "10.42" only one thing. An unreadable or too large amount fails later. */
function amountReadings(auth: ControlAuth, parameters: Parameters): readonly AmountReading[] {
  const text = parameters.get('amount');
  const currency = parameters.get('currency') ?? '';
  if (!auth.over.includes('amount') || text === undefined || !isCurrency(currency)) return [AS_WRITTEN];
  const minor = readFigure(text, currency, 'minor');
  const major = readFigure(text, currency, 'major');
  const readings: AmountReading[] = [];
  if (minor !== undefined) readings.push({ minor: minor.toString(), notation: 'minor' });
  if (major !== undefined && major !== minor) readings.push({ minor: major.toString(), notation: 'major' });
  return readings.length > 0 ? readings : [AS_WRITTEN];
}

/** A signature over what is missing or cannot be read cannot be right: say so beside it. */
function signedFaults({ over }: ControlAuth, request: ControlRequest): Fault[] {
  const { parameters } = request;
  const needed = over.includes('login') ? ['login', 'control'] : ['control'];
  const isAboutMoney = over.includes('amount') && (parameters.has('amount') || parameters.has('currency'));
  if (isAboutMoney) needed.push('amount', 'currency');
  const missing = needed.filter((name) => !parameters.has(name)).map((field) => fault('parameter-required', { field }));
  return isAboutMoney ? [...missing, ...moneyFaults(request)] : missing;
}

/** An amount that can be read in one of the notations is no fault. */
function moneyFaults({ parameters, now }: ControlRequest): Fault[] {
  const { amount, currency } = Object.fromEntries(parameters);
  if (currency === undefined) return [];
  const wrongCurrency = currencyKind.read(currency, { now });
  if (wrongCurrency instanceof Unreadable) return [unreadable('currency', wrongCurrency)];
  if (amount === undefined) return [];
  const [minor, major] = NOTATIONS.map((notation) => amountKind.read(amount, { now, currency, notation }));
  return minor instanceof Unreadable && major instanceof Unreadable ? [unreadable('amount', major)] : [];
}

function unreadable(field: string, { error, hint }: Unreadable): Fault {
  return fault(error, { field, hint });
}
