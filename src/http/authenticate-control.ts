// A request signed with a control: who signed it, and which of the two readings of its amount was signed. Whoever has
// signed a request rightly is told what is wrong with it, even if the amount or its currency cannot be read; all others
// are told of what the formula covers, and nothing else.

import type { Fault } from '../domain/errors.ts';
import { fault } from '../domain/errors.ts';
import { type Endpoint, isValidAt, type Merchant, maySign } from '../domain/merchant/merchant.ts';
import { isCurrency } from '../domain/money/currency.ts';
import type { Notation } from '../domain/money/money.ts';
import { shown } from '../domain/text.ts';
import { signedAmount as amountKind, currencyCode as currencyKind } from '../operations/field-kinds.ts';
import { type Parameters, Unreadable } from '../operations/form.ts';
import type { ControlAuth } from '../operations/operation.ts';
import type { LiveConfiguration, PathTarget } from '../processing/node/live-configuration.ts';
import { type AmountReading, amountReadings, figuresOfRefused } from '../signing/amount-readings.ts';
import { AcceptedControl, controlFits, KEY_PLACEHOLDER, readControl } from '../signing/control.ts';
import {
  type ControlToExplain,
  type ExplainedSignature,
  explainControl,
  type SignedPart,
} from '../signing/explained-control.ts';
import { nobodysControlKey } from '../signing/nobodys-keys.ts';
import type { Authenticated, NotAuthenticated } from './authenticated.ts';

/** Ids come from outside, so replies repeat only their beginning. */
const LONGEST_ID_SHOWN = 40;

export type ControlRequest = {
  readonly operation: string;
  readonly pathId: string;
  readonly target: PathTarget | undefined;
  /** The endpoint that the path and the request's currency lead to. */
  readonly endpoint: Endpoint | undefined;
  readonly parameters: Parameters;
  readonly raw: ReadonlyMap<string, string>;
  readonly now: number;
  /** Whether a wrong signature may be explained. */
  readonly isExplained: boolean;
  /** Whether amounts without decimals are tried in both ways of signing them: the right one is not known yet. */
  readonly inEitherWay?: boolean;
};

/** What the values of a control depend on. */
type ControlValues = Pick<ControlRequest, 'pathId' | 'endpoint' | 'parameters' | 'raw' | 'inEitherWay'>;

/** One way to read the signed values: as sent or trimmed, the amount in one notation or the other. */
type Reading = Pick<AmountReading, 'notation' | 'inHundredths'> & { readonly values: readonly string[] };

export function authenticateControl(
  auth: ControlAuth,
  request: ControlRequest,
  configuration: LiveConfiguration,
): Authenticated | NotAuthenticated {
  const { readings, most } = readingsOf(auth, request);
  const { parameters } = request;
  const merchant = merchantOf(auth, request, configuration);
  const sent = readControl(parameters.get('control') ?? '');
  const tries = most * configuration.mostKeys.control;
  const signature = sent && signatureOf(merchant, { sent, readings, tries }, request);
  if (merchant && signature && !('limited' in signature)) {
    const { values, notation, inHundredths, keyId } = signature;
    // The same values mean other money where the figure counts hundredths.
    const read = inHundredths ? [...values, 'in hundredths'] : values;
    return { merchant, notation, signed: true, keyId, control: new AcceptedControl(sent, read) };
  }
  if (signature && request.isExplained) return { faults: [fault('operation-not-allowed', { field: 'control' })] };
  if (sent && isSignedByAnother(auth, { sent, readings, tries: 0 }, request, configuration)) {
    return { faults: [endpointNotFound(request.pathId)] };
  }
  const wrong = fault('invalid-control-code', { field: 'control' });
  return { faults: [wrong, ...unknownLogin('login', parameters, configuration), ...signedFaults(auth, request)] };
}

/** Says that nobody has the login that a request names: in a sandbox only, where that may be known to everybody. */
export function unknownLogin(field: string, named: ReadonlyMap<string, string>, configuration: LiveConfiguration) {
  const login = named.get(field);
  const isUnknown = configuration.isSandbox && login !== undefined && configuration.byLogin(login) === undefined;
  return isUnknown ? [fault('login-unknown', { field, hint: shown(login) })] : [];
}

/** The likeliest text that a right control would cover. */
export function expectedControlString(auth: ControlAuth, request: ControlRequest): string {
  return readingsOf(auth, request).readings[0]?.values.join('') + KEY_PLACEHOLDER;
}

/** Values beside the formula's own that merchants sign by mistake. */
const OFTEN_SIGNED = ['amount', 'currency', 'login', 'orderid', 'client_orderid', 'email'];

/** Why a control is wrong, as far as that can be found out with the keys of the merchant it should be of. */
export function explainedControl(
  auth: ControlAuth,
  request: ControlRequest,
  configuration: LiveConfiguration,
): ExplainedSignature {
  const { operation, now } = request;
  const { controlKeys = [], login } = merchantOf(auth, request, configuration) ?? {};
  const tried = controlKeys.map((one) => ({ key: one.key, isUsable: isValidAt(one, now) && maySign(one, operation) }));
  return explainedWith(auth, request, tried, login);
}

/** The same with keys that are known otherwise. */
export function explainedWith(
  auth: ControlAuth,
  request: ControlValues,
  keys: ControlToExplain['keys'],
  login?: string,
): ExplainedSignature {
  const { parameters, raw } = request;
  // Many formulas begin with the login, so it is signed where it is neither sent nor asked for.
  const unsent = login === undefined || raw.has('login') ? [] : [{ name: 'login', value: login }];
  return explainControl({
    expected: expectedParts(auth, request),
    came: parameters.get('control') ?? '',
    others: [
      ...OFTEN_SIGNED.flatMap((name) => (raw.has(name) ? [{ name, value: raw.get(name) ?? '' }] : [])),
      ...unsent,
    ],
    keys,
  });
}

/** The values that a right control covers, by their names in the formula. */
export function expectedParts(auth: ControlAuth, request: ControlValues): SignedPart[] {
  const values = controlReadings(auth, request)[0]?.values ?? [];
  return formulaOver(auth, request.parameters).map((name, index) => ({ name, value: values[index] ?? '' }));
}

/** Every way to read what a control may cover, the likeliest first. */
export function controlReadings(auth: ControlAuth, request: ControlValues): readonly Reading[] {
  return readingsOf(auth, request).readings;
}

function merchantOf({ over }: ControlAuth, { parameters, target }: ControlRequest, configuration: LiveConfiguration) {
  if (over.includes('login')) return configuration.byLogin(parameters.get('login') ?? '');
  return target && configuration.byId(target.merchantId);
}

/** A control as sent, what it may cover, and how many digests are made of a wrong one. */
type Trial = { readonly sent: Buffer; readonly readings: readonly Reading[]; readonly tries: number };

/**
 * The reading that was signed with a key the merchant has, or that the key is limited to other operations. A wrong
 * control is compared with as many digests for everybody, whoever exists and however many keys they have.
 */
function signatureOf(
  merchant: Merchant | undefined,
  { sent, readings, tries }: Trial,
  { operation, parameters, now }: ControlRequest,
): (Reading & { readonly keyId: string }) | { readonly limited: true } | undefined {
  const isSigner = merchant !== undefined && isOwnLogin(parameters, merchant);
  const keys = isSigner ? merchant.controlKeys.filter((one) => isValidAt(one, now)) : [];
  let isLimited = false;
  for (const one of keys) {
    const fitting = readings.find(({ values }) => controlFits(sent, values, one.key));
    isLimited ||= fitting !== undefined;
    if (!fitting || !maySign(one, operation)) continue;
    const { values, notation, inHundredths } = fitting;
    return { values, notation, inHundredths, keyId: one.keyId };
  }
  const values = readings[0]?.values ?? [];
  for (let tried = keys.length * readings.length; tried < tries; tried++) controlFits(sent, values, nobodysControlKey);
  return isLimited ? { limited: true } : undefined;
}

/**
 * Without a login, a request for a wrong endpoint looks like one with a wrong signature. In a sandbox every merchant's
 * keys are tried to tell them apart; in production there may be thousands of merchants, so they are not.
 */
function isSignedByAnother(
  { over }: ControlAuth,
  trial: Trial,
  request: ControlRequest,
  { isSandbox, merchants }: LiveConfiguration,
): boolean {
  if (!isSandbox || over.includes('login')) return false;
  for (const merchant of merchants) {
    const signature = signatureOf(merchant, trial, request);
    if (signature && !('limited' in signature)) return true;
  }
  return false;
}

export function endpointNotFound(pathId: string): Fault {
  return fault('endpoint-not-found', { hint: pathId.slice(0, LONGEST_ID_SHOWN) });
}

/** A login in the body may be left out, but must not be another merchant's. */
export function isOwnLogin(parameters: Parameters, merchant: Merchant): boolean {
  return (parameters.get('login') ?? merchant.login) === merchant.login;
}

/** The readings, and how many there are at most: an endpoint's currency and settings may rule some of them out. */
function readingsOf(auth: ControlAuth, request: ControlValues): { readings: readonly Reading[]; most: number } {
  const { pathId, parameters, raw } = request;
  const { amounts, most } = auth.over.includes('amount') ? readingsOfAmount(request) : WITHOUT_AMOUNT;
  const sources = isTrimmed(auth, parameters, raw) ? [parameters, raw] : [parameters];
  const readings: Reading[] = [];
  for (const source of sources) {
    const over = formulaOver(auth, source);
    for (const { signed, notation, inHundredths } of amounts) {
      const values = over.map((name) => {
        if (name === 'endpointId') return pathId;
        return name === 'amount' ? signed : (source.get(name) ?? '');
      });
      readings.push({ values, notation, inHundredths });
    }
  }
  return { readings, most: sources.length * most };
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

const NO_AMOUNT: AmountReading = { signed: '', notation: 'minor', inHundredths: false };

type AmountReadings = { readonly amounts: readonly AmountReading[]; readonly most: number };

const WITHOUT_AMOUNT: AmountReadings = { amounts: [NO_AMOUNT], most: 1 };

/** An amount is read as minor and as major units, or by hundredths too where the way is not known yet. */
const MOST_READINGS = 2;

/** An amount that cannot be read has no meaning, and the request is refused for it once its signer is known. */
function readingsOfAmount({ parameters, endpoint, inEitherWay }: ControlValues): AmountReadings {
  const text = parameters.get('amount');
  if (text === undefined) return WITHOUT_AMOUNT;
  const currency = parameters.get('currency') ?? '';
  const isKnown = isCurrency(currency);
  const likely = isKnown ? currency : endpoint?.currency;
  const readings = likely === undefined ? [] : amountReadings(text, likely, endpoint?.signedInHundredths);
  if (likely !== undefined && inEitherWay) {
    readings.push(...amountReadings(text, likely, !endpoint?.signedInHundredths));
  }
  const most = inEitherWay ? 2 * MOST_READINGS : MOST_READINGS;
  if (isKnown && readings.length > 0) return { amounts: readings, most };
  const refused = figuresOfRefused(text).map((signed) => ({ ...NO_AMOUNT, signed }));
  return { amounts: [...readings, ...refused], most: most + refused.length };
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
