import { expect, it } from 'vitest';
import { barChart } from './charts.mjs';
import { markdownTable, withFigures } from './written-figures.mjs';

it('replaces what stands between the marks, and nothing else', () => {
  const page = 'a\n<!-- written by npm run bench: begin -->\nold\n<!-- written by npm run bench: end -->\nb\n';
  const written = withFigures(page, 'new');
  expect(written).toBe(page.replace('\nold\n', '\n\nnew\n\n'));
  expect(withFigures(written, 'new')).toBe(written);
  expect(() => withFigures('nothing', 'new')).toThrow('no place');
});

it('makes tables that Markdown reads', () => {
  expect(markdownTable(['a', 'b'], [['1', '2']])).toBe('| a | b |\n| --- | --- |\n| 1 | 2 |');
});

it('draws bars as long as their values, escapes their names, and is readable in the dark', () => {
  const bars = [
    { name: 'a & b', value: 10, figure: '10' },
    { name: 'c', value: 5, figure: '5', isMark: true },
    { name: 'none', value: Number.NaN, figure: '' },
  ];
  const drawn = barChart({ title: '<rates>', bars });
  const widths = [...drawn.matchAll(/<rect class="(?:bar|mark)" [^>]*width="(\d+)"/g)].map(([, width]) =>
    Number(width),
  );
  expect(widths).toEqual([420, 210, 1]);
  expect(drawn).toContain('a &amp; b');
  expect(drawn).toContain('&lt;rates&gt;');
  expect(drawn).toContain('prefers-color-scheme:dark');
});
