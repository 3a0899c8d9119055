// What a run measured, written where readers look for it: tables between two marks of docs/performance.md, and charts
// in docs/images.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { barChart } from './charts.mjs';

const PAGE = 'docs/performance.md';
const BEGIN = '<!-- written by npm run bench: begin -->';
const END = '<!-- written by npm run bench: end -->';

/** The text with what stands between the two marks replaced. */
export function withFigures(page, figures) {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`${PAGE} has no place for figures`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${figures}\n\n${page.slice(end)}`;
}

/** A table as Markdown. */
export function markdownTable(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** `measured` has a table, lines and bars for each database; `about` tells the day and the machine. */
export function writeFigures({ root, about, measured }) {
  const parts = [about];
  for (const { name, tables, lines, charts } of measured) {
    parts.push(`### ${name}`);
    for (const chart of charts) {
      const file = `bench-${name.toLowerCase()}-${chart.file}.svg`;
      writeFileSync(join(root, 'docs/images', file), barChart(chart));
      parts.push(`![${chart.title}](images/${file})`);
    }
    for (const { head, rows } of tables) parts.push(markdownTable(head, rows));
    if (lines.length > 0) parts.push(lines.map((line) => `- ${line}`).join('\n'));
  }
  const page = join(root, PAGE);
  writeFileSync(page, withFigures(readFileSync(page, 'utf8'), parts.join('\n\n')));
}
