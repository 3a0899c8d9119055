import { expect, test } from 'vitest';
import { wrapped } from './wrapped.ts';

const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');

test.each([
  ['a line that fits', words(24), words(24)],
  ['a line that does not', words(25), `${words(24)}\nword`],
  ['an item, whose second line is indented', `- ${words(24)}`, `- ${words(23)}\n  word`],
  ['code, which stays whole', `${words(23)} \`a b\` c`, `${words(23)} \`a b\`\nc`],
  ['a link, which stays whole', `${words(23)} [the guide](x.md).`, `${words(23)}\n[the guide](x.md).`],
  ['a sign, which must not begin a line', `${words(23)} word+ + a`, `${words(23)}\nword+ + a`],
  ['a row of a table, which cannot be broken', `| ${words(30)} |`, `| ${words(30)} |`],
  ['lines each for itself', `a\n\n${words(25)}`, `a\n\n${words(24)}\nword`],
])('%s', (_, page, broken) => {
  expect(wrapped(page)).toBe(broken);
});
