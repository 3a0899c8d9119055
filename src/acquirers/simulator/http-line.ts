// A line to a bank in a process of its own, over HTTP with a bounded number of connections that are kept open.
// It throws for every answer it cannot read; the connector turns that into `unknown`.

import { Agent, type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { type BankLine, ConnectionRefused } from './bank-line.ts';
import type { BookEntry } from './book-entry.ts';
import type { ClearingSummary } from './settlement.ts';
import type { CallEnd } from './time-limit.ts';
import { readBankAnswer, readBookEntry, readSummary, writeReference } from './wire.ts';
import { UnreadableWire } from './wire-fields.ts';
import { writeInstruction } from './wire-instruction.ts';

const MAX_CONNECTIONS = 256;
const MAX_ANSWER_CHARACTERS = 16 * 1024;
const OK = 200;

const TO_INSTRUCTION = ['approved', 'declined', 'pending', 'unknown'] as const;
const TO_INQUIRY = [...TO_INSTRUCTION, 'not-found'] as const;
const TO_REVERSAL = ['reversed', 'not-found', 'unknown'] as const;

export function httpLine(url: string): BankLine {
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS });
  const post = async (path: string, body: string, end: CallEnd) => {
    try {
      return await readBody(await send({ url: new URL(path, url), agent, method: 'POST', body, signal: end.signal }));
    } catch (error) {
      throw lineFault(error);
    }
  };
  return {
    instruct: async (instruction, end) =>
      readBankAnswer(await post('/v1/instructions', writeInstruction(instruction), end), TO_INSTRUCTION),
    inquire: async (reference, end) =>
      readBankAnswer(await post('/v1/inquiries', writeReference(reference), end), TO_INQUIRY),
    reverse: async (reference, end) =>
      readBankAnswer(await post('/v1/reversals', writeReference(reference), end), TO_REVERSAL),
    close: async () => agent.destroy(),
  };
}

/** The books of the bank at this address, oldest entry first. */
export async function* readBooks(url: string): AsyncGenerator<BookEntry> {
  const response = await send({ url: new URL('/v1/books', url), method: 'GET' });
  for await (const line of createInterface({ input: response })) yield readBookEntry(line);
}

/** Makes the bank at this address clear now what its next cut-off would clear. */
export async function clearBank(url: string): Promise<ClearingSummary> {
  return readSummary(await readBody(await send({ url: new URL('/v1/clearing', url), method: 'POST', body: '' })));
}

/** Makes the bank at this address return a payout. Returns whether it is returned. */
export async function returnPayoutAt(url: string, reference: string): Promise<boolean> {
  const body = writeReference(reference);
  const answer = await readBody(await send({ url: new URL('/v1/reversals', url), method: 'POST', body }));
  return readBankAnswer(answer, TO_REVERSAL).word === 'reversed';
}

/** The settlement file of a business day, line by line, the names of its columns first. */
export async function* readSettlement(url: string, date: string): AsyncGenerator<string> {
  const response = await send({ url: new URL(`/v1/settlement?date=${date}`, url), method: 'GET' });
  yield* createInterface({ input: response });
}

/** The faults in force at the bank at this address, as JSON; given faults are put in force first. */
export async function bankFaults(url: string, faults?: string): Promise<string> {
  const method = faults === undefined ? 'GET' : 'PUT';
  const body = faults === undefined ? {} : { body: faults };
  return readBody(await send({ url: new URL('/v1/faults', url), method, ...body }));
}

type Sending = {
  readonly url: URL;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly agent?: Agent;
  readonly body?: string;
  readonly signal?: AbortSignal;
};

/** Resolves with the response once its head has arrived with status 200. */
function send({ url, method, agent, body, signal }: Sending): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const call = request(url, { method, headers, ...(agent && { agent }), ...(signal && { signal }) });
    call.on('error', reject);
    call.on('response', (response) => {
      if (response.statusCode === OK) return resolve(response);
      response.destroy();
      reject(new UnreadableWire(`the bank answered with HTTP ${response.statusCode}`));
    });
    call.end(body);
  });
}

async function readBody(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk;
    if (text.length > MAX_ANSWER_CHARACTERS) throw new UnreadableWire('the answer is too long');
  }
  return text;
}

/** There was never a connection, so nothing was sent. */
const NO_CONNECTION: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the bank refused the connection'],
  ['EHOSTUNREACH', 'there is no way to the bank (EHOSTUNREACH)'],
  ['ENETUNREACH', 'there is no way to the bank (ENETUNREACH)'],
  ['ENOTFOUND', "the name of the bank's host is unknown"],
  ['EAI_AGAIN', "the name of the bank's host cannot be looked up (EAI_AGAIN)"],
]);

function lineFault(error: unknown): Error {
  if (error instanceof UnreadableWire) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
  const unreached = NO_CONNECTION.get(code);
  if (unreached !== undefined) return new ConnectionRefused(unreached);
  return new Error(`the line to the bank broke (${code})`, { cause: error });
}
