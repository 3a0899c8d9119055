import { describe, expect, it } from 'vitest';
import { html, type Piece } from '../../web/design/html.ts';
import { tableOf } from './tables.ts';
import { below, dayText, longText, moment, mono } from './values.ts';

const written = (piece: Piece) => html`${piece}`.text;

describe('a cell of a table', () => {
  const cellOf = (value: Piece, kind?: 'number' | 'actions') => {
    const of = () => value;
    const columns = { One: kind === undefined ? of : { of, kind } };
    return /<td[^>]*>(.*)<\/td>/.exec(tableOf({ label: 'x', columns, rows: [1], otherwise: '' }).text)?.[1];
  };

  it.each<[string, Piece, 'number' | 'actions' | undefined, string]>([
    ['nothing', undefined, undefined, '–'],
    ['a text without letters', '', undefined, '–'],
    ['no piece', false, 'number', '–'],
    ['no moment', moment(null), undefined, '–'],
    ['no id', mono(null), undefined, '–'],
    ['pieces that are all empty', [undefined, html``], undefined, '–'],
    ['zero', 0, 'number', '0'],
    ['a text', 'demo', undefined, 'demo'],
    ['nothing to do', undefined, 'actions', ''],
  ])('with %s', (_, value, kind, expected) => {
    expect(cellOf(value, kind)).toBe(expected);
  });
});

it.each<[string | null | undefined, string]>([
  [null, ''],
  [undefined, ''],
  ['inv-17', 'inv-17'],
  ['12345678901234567890', '12345678901234567890'],
  [
    'inv-4af83232-d718-4f7d',
    '<span class="long" title="inv-4af83232-d718-4f7d"><span class="long-head">inv-4af83232-d</span>718-4f7d</span>',
  ],
])('%j is written in a list as %j', (text, expected) => {
  expect(written(longText(text))).toBe(expected);
});

it.each<[Piece, Piece, string]>([
  ['4111', undefined, '4111'],
  [undefined, undefined, '–'],
  [undefined, 'ann', '–<div class="below">ann</div>'],
  ['4111', 'ann', '4111<div class="below">ann</div>'],
])('%j above %j is %j', (first, second, expected) => {
  expect(written(below(first, second))).toBe(expected);
});

it('writes moments and days in one way', () => {
  expect(written(moment('2026-11-08T13:30:45.123Z'))).toContain('>8 Nov 2026, 13:30:45 UTC</time>');
  expect(dayText('2026-11-08')).toBe('8 Nov 2026');
});
