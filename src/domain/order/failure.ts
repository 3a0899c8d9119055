// Why a transaction failed, in the bank's code or in ours: the same in status replies, callbacks and redirects.

import { meaningOf } from '../acquirer/action-codes.ts';
import { errors } from '../errors.ts';
import type { Transaction } from './order.ts';
import type { Stage } from './stages.ts';

export type Failure = { readonly code: string; readonly message: string };

const ENDED_BY_US: Partial<Record<Stage, keyof typeof errors>> = {
  abandoned: 'payer-too-late',
  expired: 'confirmed-too-late',
  error: 'outcome-unresolved',
};

export function failureOf({ stage, answer, filterReason }: Transaction): Failure | undefined {
  if (filterReason !== undefined) return inOurWords(filterReason);
  if (answer?.word === 'declined') return { code: answer.code, message: meaningOf(answer.code) };
  const ended = ENDED_BY_US[stage];
  return ended && inOurWords(ended);
}

function inOurWords(name: keyof typeof errors): Failure {
  const { code, text } = errors[name];
  return { code: String(code), message: text };
}
