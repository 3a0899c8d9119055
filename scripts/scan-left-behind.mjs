// After the tests: looks for the card numbers and codes they pay with in what they left behind on the PostgreSQL
// server, which is its write-ahead log and whatever tables are left. Tests that plant numbers on purpose plant others.
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Every scenario pays with the first of them, and most with this code. */
export const PAID_WITH = ['4111111111111111', '4444555566661111', '5555555555554444', '123', '7391'];

/** Resolves with a line for each finding; with none when all is well. */
export async function scanLeftBehind({ root, url, numbers = PAID_WITH, signal }) {
  // There is no data folder: every test has searched and removed its own (test/left-behind.ts).
  const nowhere = join(tmpdir(), `tender-nowhere-${process.pid}`);
  const args = ['scan', '--json', '--for', '-', '--database-url', url, '--data', nowhere];
  const child = spawn(process.execPath, [join(root, 'bin', 'tender.mjs'), ...args], { signal });
  child.stdin.end(numbers.join('\n'));
  const [code, said, complaint] = await Promise.all([
    new Promise((resolve, reject) => child.on('close', resolve).on('error', reject)),
    text(child.stdout),
    text(child.stderr),
  ]);
  if (code !== 0 && code !== 1) return [`the scan could not look: ${complaint.trim()}`];
  const { findings, left } = JSON.parse(said);
  return [
    ...left.map((one) => `not looked at: ${one}`),
    ...findings.map(({ place, encoding, shown, count }) => `${place}: ${shown}, ${encoding}, ${count} times`),
  ];
}
