// The fields of the hosted form: what is asked for, how a browser may fill it in, and the text when it is wrong. They
// are read by the same kinds as the interface's own fields, so a payer may write what a merchant may send.

import type { CardDetails } from '../../acquirers/acquirer.ts';
import { plainDigits, plainPhone } from '../../domain/as-typed.ts';
import type { Fault } from '../../domain/errors.ts';
import type { OrderDetails } from '../../domain/order/details.ts';
import { ASKED_OF_PAYER } from '../../operations/asked-of-payer.ts';
import { cardNotExpired } from '../../operations/checks.ts';
import * as field from '../../operations/fields.ts';
import { form, onlyGiven, type Parameters, readForm } from '../../operations/form.ts';
import type { PayerOrder } from '../../processing/checkout/checkout.ts';
import type { PayerInput } from '../../processing/checkout/form-cards.ts';
import type { TextName } from './texts/en.ts';

/** A field of the page by its name on the wire; the month and the year of expiry are one field here. */
export type FieldName = 'credit_card_number' | 'expiry' | 'cvv2' | 'card_printed_name' | PayerFieldName;

export type Wrong = Partial<Record<FieldName, TextName>>;

export type PayerField = {
  readonly label: TextName;
  readonly autocomplete: string;
  readonly property: keyof OrderDetails;
  readonly type?: string;
  readonly wrong?: TextName;
};

/** What a payer can be asked for besides the card, in the order of the form. */
export const PAYER_FIELDS = {
  email: { label: 'email', autocomplete: 'email', property: 'email', type: 'email', wrong: 'emailWrong' },
  first_name: { label: 'firstName', autocomplete: 'given-name', property: 'firstName' },
  last_name: { label: 'lastName', autocomplete: 'family-name', property: 'lastName' },
  phone: { label: 'phone', autocomplete: 'tel', property: 'phone', type: 'tel' },
  cell_phone: { label: 'cellPhone', autocomplete: 'tel', property: 'cellPhone', type: 'tel' },
  birthday: { label: 'birthday', autocomplete: 'bday', property: 'birthday', type: 'date' },
  address1: { label: 'address', autocomplete: 'street-address', property: 'address' },
  city: { label: 'city', autocomplete: 'address-level2', property: 'city' },
  state: { label: 'state', autocomplete: 'address-level1', property: 'state' },
  zip_code: { label: 'zipCode', autocomplete: 'postal-code', property: 'zipCode' },
  country: { label: 'country', autocomplete: 'country', property: 'country' },
} as const satisfies Record<(typeof ASKED_OF_PAYER)[number], PayerField>;

export type PayerFieldName = keyof typeof PAYER_FIELDS;

/** What the merchant left out and the form must ask for: an e-mail address, and what the endpoint demands. */
export function missingFields({ details, endpoint, transaction }: PayerOrder): PayerFieldName[] {
  const demanded = new Set<string>(endpoint.requiredFields);
  if (transaction.type !== 'payout') demanded.add('email');
  return ASKED_OF_PAYER.filter((name) => demanded.has(name) && details[PAYER_FIELDS[name].property] === undefined);
}

/** The IP address of the payer's connection, where the endpoint demands one and the merchant sent none. */
export function addressOf({ details, endpoint }: PayerOrder, ipAddress: string): OrderDetails {
  const isMissing = endpoint.requiredFields.includes(field.ipAddress.wire) && details.ipAddress === undefined;
  return isMissing ? { ipAddress } : {};
}

const payingCard = form({ ...field.card, cardPrintedName: field.cardPrintedName }, cardNotExpired);
const payeeCard = form({ creditCardNumber: field.creditCardNumber, cardPrintedName: field.cardPrintedName });
const payer = form({
  email: field.payer.email,
  firstName: field.payer.firstName,
  lastName: field.payer.lastName,
  phone: field.payer.phone,
  cellPhone: field.payer.cellPhone,
  birthday: field.payer.birthday,
  address: field.payer.address1,
  city: field.payer.city,
  state: field.payer.state,
  zipCode: field.payer.zipCode,
  country: field.payer.country,
});

/** The most characters of an answer; phone numbers have no limit, because separators in them do not count. */
export function longestOf(name: PayerFieldName): number | undefined {
  const { property, ...known }: PayerField = PAYER_FIELDS[name];
  return known.type === 'tel' ? undefined : payer.fields[property as keyof typeof payer.fields].maxLength;
}

/** Turns what people type into what the interface expects. */
const AS_MEANT: ReadonlyMap<string, (text: string) => string> = new Map([
  ['credit_card_number', plainDigits],
  ['expiry', plainDigits],
  ['cvv2', plainDigits],
  ['phone', plainPhone],
  ['cell_phone', plainPhone],
]);

export type Entered = { readonly card: PayerInput['card']; readonly details: OrderDetails };

/** What the payer entered, or everything that is wrong with it. */
export function readEntry(order: PayerOrder, sent: Parameters, now: number): Entered | Wrong {
  const meant = new Map([...sent].map(([name, text]) => [name, AS_MEANT.get(name)?.(text) ?? text]));
  const parameters = new Map([...meant, ...expiryOf(meant.get('expiry')), ...dayOf(meant.get('birthday'))]);
  const asked = missingFields(order);
  // Answers to other fields are ignored, because the merchant has sent those already.
  const answers = new Map([...parameters].filter(([name]) => asked.includes(name as PayerFieldName)));
  const given = readForm(payer, answers, { now }, asked);
  const isDemanded = (name: string) => asked.includes(name as PayerFieldName);
  const faults = given.faults.filter(({ field: name = '' }) => isDemanded(name));
  const isPayout = order.transaction.type === 'payout';
  const card = isPayout ? readForm(payeeCard, parameters, { now }) : readForm(payingCard, parameters, { now });
  const wrong = wrongFields([...card.faults, ...faults]);
  if (Object.keys(wrong).length > 0) return wrong;
  const { creditCardNumber: number, cardPrintedName: holder, ...rest } = card.values as PayingValues;
  const { expireMonth, expireYear, cvv2: cvv } = rest;
  const details = onlyGiven(given.values);
  return { card: { number, holder, ...(isPayout ? {} : { expireMonth, expireYear, cvv }) }, details };
}

export function isEntered(entry: Entered | Wrong): entry is Entered {
  return 'card' in entry && 'details' in entry;
}

type PayingValues = {
  readonly creditCardNumber: CardDetails['number'];
  readonly cardPrintedName: string;
  readonly expireMonth: number;
  readonly expireYear: number;
  readonly cvv2: NonNullable<CardDetails['cvv']>;
};

/** This leaves room for blanks, and bounds the time that the patterns below can take. */
const LONGEST_EXPIRY = 20;

/** Accepts `08 / 29`, `8/2029` and `0829`. Other texts are passed on as a month, which is then found to be wrong. */
export function expiryOf(text = ''): [string, string][] {
  const [, month, year] =
    text.length > LONGEST_EXPIRY
      ? []
      : (/^(\d{1,2})(?:\s*[/.-]\s*|\s+)(\d{2}|\d{4})$/.exec(text) ?? /^(\d{2})(\d{2}|\d{4})$/.exec(text) ?? []);
  if (month !== undefined && year !== undefined) {
    return [
      ['expire_month', month],
      ['expire_year', year],
    ];
  }
  return text === '' ? [] : [['expire_month', text.slice(0, 40)]];
}

/** Browsers write a day as 1984-02-29, the interface as 19840229. */
function dayOf(text: string | undefined): [string, string][] {
  return text === undefined ? [] : [['birthday', text.replaceAll('-', '')]];
}

function wrongFields(faults: readonly Fault[]): Wrong {
  const wrong: Wrong = {};
  for (const { error, field: wire = '' } of faults) {
    const isMissing = error === 'parameter-required';
    if (wire === 'expire_month' || wire === 'expire_year') {
      // A month without a year counts as wrong, not as missing.
      if (error === 'card-expired') wrong.expiry = 'cardExpired';
      else wrong.expiry = isMissing && wrong.expiry !== 'expiryWrong' ? 'expiryMissing' : 'expiryWrong';
    } else if (wire === 'credit_card_number') wrong.credit_card_number = isMissing ? 'numberMissing' : 'numberWrong';
    else if (wire === 'cvv2') wrong.cvv2 = isMissing ? 'cvvMissing' : 'cvvWrong';
    else if (wire === 'card_printed_name') wrong.card_printed_name = isMissing ? 'holderMissing' : 'fieldWrong';
    else if (wire in PAYER_FIELDS) {
      const name = wire as PayerFieldName;
      const known: PayerField = PAYER_FIELDS[name];
      wrong[name] = isMissing ? 'fieldMissing' : (known.wrong ?? 'fieldWrong');
    }
  }
  return wrong;
}
