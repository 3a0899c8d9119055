// A request and what it was told, in words.

import { millisecond, properties } from '../verb/table.ts';
import type { RequestAnswer } from './order-answers.ts';

export function requestText(request: RequestAnswer): string {
  const facts = properties([
    ['Serial number', request.serialNumber],
    ['Came', millisecond(request.at)],
    ['Operation', request.operation ?? '-'],
    ['Merchant', request.login ?? '-'],
    ['Order', request.orderId === null ? '-' : String(request.orderId)],
    ['Answered', answerTo(request)],
  ]);
  return `${facts}\n\nAsked:\n${members(request.request)}\n\nTold:\n${members(request.reply)}`;
}

export function answerTo({
  httpStatus,
  errorCode,
  milliseconds,
}: Pick<RequestAnswer, 'httpStatus' | 'errorCode' | 'milliseconds'>): string {
  const code = errorCode === null ? '' : ` with error ${errorCode}`;
  return `${httpStatus}${code} in ${Math.round(milliseconds)} ms`;
}

/** Name and value, one below the other. */
function members(value: unknown): string {
  const entries = Object.entries((value ?? {}) as Record<string, unknown>);
  if (entries.length === 0) return '  nothing';
  return properties(entries.map(([name, one]) => [`  ${name}`, typeof one === 'string' ? one : JSON.stringify(one)]));
}
