// From an instruction to its message. Every datum is worked out here by our names; the dialect says in which field it
// goes. Nothing depends on the present time, so a message that is built again is the same.

import { countryAlphaThree, countryNumber } from '../../domain/country.ts';
import { currencyNumber } from '../../domain/money/currency.ts';
import type { CardDetails, Circumstances, Instruction, SentInstruction, TargetCard, Trace } from '../acquirer.ts';
import {
  type Datum,
  type Dialect,
  FIELD,
  type IsoFields,
  type IsoMessage,
  MessageFault,
  type MessagePlan,
  type PlannedInstruction,
} from './dialect.ts';
import { privateDataOf } from './private-data.ts';
import { localMomentOf, retrievalNumberOf, stanOf, transmissionOf } from './trace-numbers.ts';

type Values = Partial<Record<Datum, string | undefined>>;

/** The message that carries out an instruction. It throws a `MessageFault` when something that it needs is missing. */
export function messageFor(dialect: Dialect, instruction: PlannedInstruction, around: Circumstances): IsoMessage {
  const plan = dialect.messages[instruction.kind];
  const { origin } = around;
  const original = origin && originalOf(dialect, origin.kind, origin.trace);
  return { mti: plan.mti, fields: filled(plan.fields, dataOf(dialect, instruction, around, original)) };
}

/** The advice that takes an instruction back; undefined where the dialect has none for it. */
export function reversalOf(dialect: Dialect, { instruction, around, again }: SentInstruction): IsoMessage | undefined {
  if (instruction.kind === 'eligibility' || !dialect.messages[instruction.kind].reversible) return undefined;
  const { mti, repeat, fields } = dialect.reversal;
  const original = originalOf(dialect, instruction.kind, around.trace);
  return { mti: again ? repeat : mti, fields: filled(fields, dataOf(dialect, instruction, around, original)) };
}

/** A message to the host itself: sign on, or show that we are there. */
export function networkMessage({ network }: Dialect, asks: string, trace: Trace): IsoMessage {
  const fields = filled(network.fields, traceData(trace));
  return { mti: network.mti, fields: { ...fields, [network.field]: asks } };
}

type Original = { readonly mti: string; readonly trace: Trace };

function originalOf({ messages }: Dialect, kind: Instruction['kind'], trace: Trace): Original | undefined {
  return kind === 'eligibility' ? undefined : { mti: messages[kind].mti, trace };
}

function filled(fields: MessagePlan['fields'], values: Values): IsoFields {
  const given = Object.entries(fields).flatMap(([field, datum]) => {
    const value = typeof datum === 'string' ? values[datum] : datum.is;
    return value === undefined || value === '' ? [] : [[field, value] as const];
  });
  return Object.fromEntries(given);
}

function dataOf(
  dialect: Dialect,
  instruction: PlannedInstruction,
  around: Circumstances,
  original: Original | undefined,
): Values {
  const { site, origin } = around;
  const card = cardOf(instruction, around);
  const isLater = instruction.kind === 'capture' || instruction.kind === 'cancel' || instruction.kind === 'void';
  const descriptor = latin('descriptor' in instruction ? instruction.descriptor : site.descriptor);
  return {
    ...traceData(around.trace),
    ...amountData(instruction, around),
    ...(original && originalData(original, site.acquirerNumber)),
    cardNumber: card?.number.reveal(),
    expiry: card && 'expireYear' in card ? expiryOf(card) : undefined,
    account: instruction.kind === 'push' && 'account' in instruction.to ? instruction.to.account.number.reveal() : '',
    processing: dialect.messages[instruction.kind].processing,
    category: site.category,
    countryNumber: countryNumber(site.country),
    acquirer: site.acquirerNumber,
    terminal: site.terminalNumber,
    merchant: site.merchantNumber,
    nameInForty: `${descriptor.slice(0, 25).padEnd(38)}${site.country}`,
    nameInParts: `${descriptor.slice(0, 60)}\\\\\\${' '.repeat(13)}${countryAlphaThree(site.country) ?? ''}`,
    // A transaction keeps its reference through its life; what moves money anew has one of its own.
    rrn: isLater && origin ? (origin.rrn ?? retrievalNumberOf(origin.trace)) : retrievalNumberOf(around.trace),
    approvalCode: isLater ? origin?.approvalCode : undefined,
    ...entryData(instruction, around),
    privateData: privateDataOf(dialect, instruction, around),
  };
}

function traceData(trace: Trace): Values {
  const moment = localMomentOf(trace);
  return {
    transmission: transmissionOf(trace),
    stan: stanOf(trace),
    localMoment: moment,
    localDate: moment.slice(2, 6),
    localTime: moment.slice(6),
  };
}

function amountData({ amount, kind }: PlannedInstruction, { origin }: Circumstances): Values {
  const whole = origin?.amount ?? amount;
  const isPart = origin !== undefined && amount.minor < whole.minor;
  // What stays of the hold. A host that was told of an earlier part gets the larger amount again: holds do not move
  // money, and what may be captured is bounded on our side.
  const remaining = isPart ? whole.minor - amount.minor : whole.minor;
  return {
    amount: twelve(amount.minor),
    currency: currencyNumber(amount.currency),
    originalAmount: twelve(whole.minor),
    remainingAmount: twelve(remaining),
    replacementAmounts: isPart && kind === 'cancel' ? `${twelve(remaining)}${'0'.repeat(30)}` : undefined,
    originalAmounts: isPart && kind === 'cancel' ? `${twelve(whole.minor)}${'0'.repeat(12)}` : undefined,
    captureFunction: isPart ? '202' : '201',
    reversalFunction: isPart ? '401' : '400',
  };
}

function originalData({ mti, trace }: Original, acquirer: string): Values {
  const eleven = acquirer.padStart(11, '0');
  return {
    originalData: `${mti}${stanOf(trace)}${transmissionOf(trace)}${eleven}${'0'.repeat(11)}`,
    originalDataWithLengths: `${mti}${stanOf(trace)}${localMomentOf(trace)}${twoDigits(acquirer.length)}${acquirer}`,
  };
}

/** How the card was read: typed by a payer now, stored before, or used by the merchant alone. */
function entryData(instruction: PlannedInstruction, { stored }: Circumstances): Values {
  const byMerchant = 'initiator' in instruction && instruction.initiator === 'merchant';
  return {
    entryMode: stored === 'before' ? '100' : '810',
    condition: byMerchant ? '08' : '59',
    serviceData: byMerchant ? '100040100110' : '100050100110',
  };
}

function cardOf(instruction: PlannedInstruction, { card }: Circumstances): CardDetails | TargetCard | undefined {
  if ('card' in instruction) return instruction.card;
  if (instruction.kind === 'push') return 'card' in instruction.to ? instruction.to.card : undefined;
  if (card === undefined) throw new MessageFault(`the card of the payment is needed for a ${instruction.kind}`);
  return card;
}

const expiryOf = ({ expireYear, expireMonth }: Pick<CardDetails, 'expireYear' | 'expireMonth'>) =>
  twoDigits(expireYear % 100) + twoDigits(expireMonth);

const twelve = (minor: bigint) => minor.toString().padStart(12, '0');
const twoDigits = (number: number) => String(number).padStart(2, '0');

/** The text in printable ASCII: letters without their accents, and nothing for what has no such letter. */
function latin(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim();
}

/** By what an answer is known: what it answers, the trace number, the transmission time and the terminal. */
export function matchKey(type: string, fields: IsoFields): string {
  const terminal = (fields[FIELD.terminal] ?? '').trimEnd();
  return [type, fields[FIELD.stan], fields[FIELD.transmission], terminal].join('|');
}
