// Card numbers and other secrets of a call: those given as `-` are read from standard input, a line for each, in the
// order of the operation's fields. Others are in the list of processes, which everybody on the machine can read.

import { createInterface } from 'node:readline';
import type { Operation } from '../../operations/operation.ts';
import { Complaint } from '../complaint.ts';
import type { SentFields } from './signed-call.ts';

const FROM_INPUT = '-';

/** Test numbers are no secret, so nothing is said about them. */
export async function readTypedSecrets(
  given: SentFields,
  { request }: Operation,
  isTrial: boolean,
): Promise<Record<string, string>> {
  const secret = Object.values(request.fields).filter(({ exposure, wire }) => exposure !== 'plain' && wire in given);
  const asked = secret.filter(({ wire }) => given[wire] === FROM_INPUT).map(({ wire }) => wire);
  const seen = secret.filter(({ wire }) => given[wire] !== FROM_INPUT).map(({ wire }) => wire);
  if (!isTrial && seen.length > 0) {
    process.stderr.write(
      `tender: other users of this machine can see ${seen.join(' and ')}; give "-", and the value on standard input\n`,
    );
  }
  if (asked.length === 0) return { ...given };
  const lines = await linesOf(asked.length);
  if (lines.length < asked.length) {
    throw new Complaint(`standard input has no line for ${asked.slice(lines.length).join(' and ')}`, { exit: 'usage' });
  }
  return { ...given, ...Object.fromEntries(asked.map((wire, index) => [wire, lines[index] ?? ''])) };
}

async function linesOf(count: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: process.stdin })) {
    lines.push(line.trim());
    if (lines.length === count) break;
  }
  return lines;
}
