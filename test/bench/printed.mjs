// How a measurement is printed: figures, tables, a line on the machine, and the line that says what is done now.
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';

const UNNAMED = 'unknown processor';

export const say = (line) => process.stdout.write(`${line}\n`);

export const whole = (number) => Math.round(number).toLocaleString('en');
export const fraction = (number, digits) => (Number.isFinite(number) ? number.toFixed(digits) : '');

export function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

export function textOf(title, { head, rows }) {
  const all = [[head[0] || title, ...head.slice(1)], ...rows];
  const width = Math.max(34, ...all.map(([first]) => first.length + 1));
  const line = (cells) => cells.map((cell, index) => (index === 0 ? cell.padEnd(width) : cell.padStart(10))).join('');
  return [...all.map(line), ''].join('\n');
}

export function describeMachine(folder) {
  const model = cpus()[0]?.model.trim() ?? UNNAMED;
  const cores = `${availableParallelism()} cores (${model})`;
  const load = `a load of ${loadavg()[0].toFixed(0)} at the beginning`;
  return `Node ${process.version}, ${cores}, ${load}, fdatasync ${fdatasyncMs(folder).toFixed(2)} ms`;
}

/** How long the disk takes to sync a block: where this is next to nothing, rates of durable writes look too good. */
function fdatasyncMs(folder) {
  const file = openSync(join(folder, 'fdatasync'), 'w');
  const block = Buffer.alloc(8192);
  const times = Array.from({ length: 101 }, () => {
    writeSync(file, block);
    const started = performance.now();
    fdatasyncSync(file);
    return performance.now() - started;
  });
  closeSync(file);
  return median(times);
}

export function progress(line) {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${line}`);
}
