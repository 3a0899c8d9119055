import { describe, expect, it } from 'vitest';
import { millisecond, minute, properties, textTable } from './table.ts';

describe('tables for people', () => {
  it('are aligned, and end no line with white space', () => {
    const rows = [
      ['1', 'approved', ''],
      ['225233353367552', '-', 'x'],
    ];
    expect(textTable(['ORDER', 'STATUS', 'NOTE'], rows)).toBe(
      ['ORDER            STATUS    NOTE', '1                approved', '225233353367552  -         x'].join('\n'),
    );
    expect(
      properties([
        ['Order', '1'],
        ['Merchant', 'demo'],
      ]),
    ).toBe('Order     1\nMerchant  demo');
  });

  it('let nothing through that would move the cursor, colour the terminal or begin another line', () => {
    const hostile = 'a\u001b[2Jb\r\nc\u009bd';
    expect(textTable(['NAME'], [[hostile]])).toBe('NAME\na [2Jb c d');
    expect(properties([[hostile, hostile]])).toBe('a [2Jb c d  a [2Jb c d');
  });

  it('show moments to the minute or to the millisecond', () => {
    expect(minute('2026-11-15T19:41:19.242Z')).toBe('2026-11-15 19:41 UTC');
    expect(millisecond('2026-11-15T19:41:19.242Z')).toBe('2026-11-15 19:41:19.242 UTC');
    expect([minute(null), millisecond(null)]).toEqual(['-', '-']);
  });
});
