// What each file of tests costs in processor time, to which a busy machine adds far less than to the clock's: a line in
// the file that TENDER_TEST_COSTS names. The children that a file waited for are counted with it, the server of
// PostgreSQL is not. The first file of a process also reads the sources.

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

const TICKS_A_SECOND = 100;
const STAT = '/proc/self/stat';

/** The fields behind the program's name, which may hold anything; only Linux tells them. */
const CHILDRENS_USER = 13;
const CHILDRENS_SYSTEM = 14;

function ofChildren(): number {
  if (!existsSync(STAT)) return 0;
  const text = readFileSync(STAT, 'utf8');
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return ((fields[CHILDRENS_USER] ?? 0) + (fields[CHILDRENS_SYSTEM] ?? 0)) / TICKS_A_SECOND;
}

function ofThisProcess(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

const began = { own: ofThisProcess(), children: ofChildren(), at: performance.now() };

afterAll(() => {
  const own = ofThisProcess() - began.own;
  const children = ofChildren() - began.children;
  const took = (performance.now() - began.at) / 1000;
  const figures = [own + children, own, children, took].map((seconds) => seconds.toFixed(1).padStart(7));
  const line = `${figures.join(' ')}  ${expect.getState().testPath ?? ''}\n`;
  appendFileSync(process.env.TENDER_TEST_COSTS as string, line);
});
