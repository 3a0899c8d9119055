import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ISO87_ASCII } from './iso87-ascii.ts';
import { ISO93_BINARY } from './iso93-binary.ts';
import { HostTrace, maskedMessage } from './masked.ts';

const PAN = '4111111111111111';

it('shows what is harmless and hides the rest', () => {
  const fields = { 2: PAN, 4: '000000001042', 14: '2903', 35: `${PAN}=2903101`, 39: '00', 48: '9203123', 103: 'CH93' };
  expect(maskedMessage(ISO87_ASCII, { mti: '0210', fields })).toBe(
    '0210 2=411111******1111 4=000000001042 14=[4] 35=[24] 39=00 48=[7] 103=[4]',
  );
});

describe.each([ISO87_ASCII, ISO93_BINARY])('$name', (dialect) => {
  it('never shows a card number, whichever text field holds it', () => {
    const texts = Object.entries(dialect.fields).filter(([, { content }]) => content === 'ans');
    for (const [field] of texts) {
      expect(maskedMessage(dialect, { mti: '0210', fields: { [field]: `x ${PAN} y` } })).not.toContain(PAN);
    }
  });

  it('shows no track, code, expiry or key field', () => {
    const hidden = [14, 34, 35, 36, 45, 48, 52, 53, 55, 64, 96, 102, 103, 128];
    expect(dialect.shown.filter((field) => hidden.includes(field))).toEqual([]);
  });

  it('is one line, whatever a host sends', () => {
    const text = fc.string({ unit: 'binary', maxLength: 30 });
    fc.assert(
      fc.property(text, (value) => {
        expect(maskedMessage(dialect, { mti: '0210', fields: { 43: value } })).toMatch(/^[\x20-\x7e…*]*$/u);
      }),
    );
  });
});

it('keeps the latest two hundred', () => {
  const trace = new HostTrace();
  for (let at = 0; at < 250; at++) trace.add({ at, direction: 'out', text: '0800' });
  expect(trace.lines()).toHaveLength(200);
  expect(trace.lines()[0]?.at).toBe(50);
});
