// `tender request`: what a single request asked for and what it was told, by the serial number its reply carried.

import type { Command } from 'commander';
import type { RequestView } from '../administration/orders.ts';
import { millisecond, properties } from '../administration/verb/table.ts';
import {
  administrationCommand,
  answerWith,
  type CommonValues,
  nounCommand,
  withExample,
} from './administration-command.ts';

export function addRequest(program: Command): void {
  const noun = nounCommand(program, 'request', 'show what a request asked for and what it was told');

  const show = administrationCommand(noun, 'show', 'show a request, also one that was refused, without its secrets')
    .argument('<serial-number>', 'the serial-number of its reply')
    .action((serialNumber: string, values: CommonValues) =>
      answerWith(values, ({ ask }) => ask('showRequest', { serialNumber }), whole),
    );
  withExample(show, 'tender request show 0197a5c2-6f8e-4c1b-9f0a-3d2e1b4c5a69');
}

function whole(request: RequestView): string {
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
}: Pick<RequestView, 'httpStatus' | 'errorCode' | 'milliseconds'>): string {
  const code = errorCode === null ? '' : ` with error ${errorCode}`;
  return `${httpStatus}${code} in ${Math.round(milliseconds)} ms`;
}

/** Name and value, one below the other. */
function members(value: unknown): string {
  const entries = Object.entries((value ?? {}) as Record<string, unknown>);
  if (entries.length === 0) return '  nothing';
  return properties(entries.map(([name, one]) => [`  ${name}`, typeof one === 'string' ? one : JSON.stringify(one)]));
}
