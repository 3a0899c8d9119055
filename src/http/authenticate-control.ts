// A request signed with a control: who signed it, and which of the two readings of its amount was signed.

import type { Fault } from '../domain/errors.ts';
import { fault } from '../domain/errors.ts';
import { isValidAt, type Merchant } from '../domain/merchant.ts';
import { isCurrency, type Notation, readAmount } from '../domain/money.ts';
import type { Parameters } from '../operations/form.ts';
import type { ControlAuth } from '../operations/operation.ts';
import type { Directory, PathTarget } from '../processing/directory.ts';
import { AcceptedControl, controlFits, KEY_PLACEHOLDER, readControl } from '../signing/control.ts';
import type { Authenticated, NotAuthenticated } from './authenticate.ts';

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
  directory: Directory,
): Authenticated | NotAuthenticated {
  const readings = readingsOf(auth, request);
  const merchant = auth.over.includes('login')
    ? directory.byLogin(request.parameters.get('login') ?? '')
    : request.target && directory.byId(request.target.merchantId);
  const sent = readControl(request.parameters.get('control') ?? '');
  if (merchant && sent && isOwnLogin(request.parameters, merchant)) {
    for (const controlKey of merchant.controlKeys) {
      if (!isValidAt(controlKey, request.now)) continue;
      for (const { values, notation } of readings) {
        if (!controlFits(sent, values, controlKey.key)) continue;
        return { merchant, notation, signed: true, control: new AcceptedControl(sent, values) };
      }
    }
  }
  const first = readings[0] as Reading;
  return {
    faults: [fault('invalid-control-code', { field: 'control' }), ...signedFaults(auth, request)],
    expectedString: first.values.join('') + KEY_PLACEHOLDER,
  };
}

/** A login in the body may be left out, but not be another's. */
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

type AmountReading = { readonly minor: string | undefined; readonly notation: Notation };

const AS_WRITTEN: AmountReading = { minor: undefined, notation: 'minor' };

/** "1042" may mean 10.42 or 1042.00; "10.42" only one thing. An unreadable amount stands for itself and fails later. */
function amountReadings(auth: ControlAuth, parameters: Parameters): readonly AmountReading[] {
  const text = parameters.get('amount');
  const currency = parameters.get('currency') ?? '';
  if (!auth.over.includes('amount') || text === undefined || !isCurrency(currency)) return [AS_WRITTEN];
  const minor = readAmount(text, currency, 'minor');
  const major = readAmount(text, currency, 'major');
  const readings: AmountReading[] = [];
  if (minor !== undefined) readings.push({ minor: minor.toString(), notation: 'minor' });
  if (major !== undefined && major !== minor) readings.push({ minor: major.toString(), notation: 'major' });
  return readings.length > 0 ? readings : [AS_WRITTEN];
}

/** A signature over an unreadable amount or currency cannot be right: say so beside it. */
function signedFaults(auth: ControlAuth, { parameters }: ControlRequest): Fault[] {
  if (!auth.over.includes('amount')) return [];
  const amount = parameters.get('amount');
  const currency = parameters.get('currency');
  const faults: Fault[] = [];
  if (currency !== undefined && !isCurrency(currency)) {
    faults.push(fault('parameter-malformed', { field: 'currency', hint: 'an ISO 4217 code such as USD' }));
  } else if (
    amount !== undefined &&
    currency !== undefined &&
    readAmount(amount, currency, 'minor') === undefined &&
    readAmount(amount, currency, 'major') === undefined
  ) {
    const hint = `a positive amount in ${currency}, in minor units (1042) or with a point (10.42)`;
    faults.push(fault('parameter-malformed', { field: 'amount', hint }));
  }
  return faults;
}
