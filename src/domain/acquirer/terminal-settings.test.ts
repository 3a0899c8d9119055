import { describe, expect, it } from 'vitest';
import { type InvalidSettings, readSettings } from '../merchant/setting.ts';
import { newTerminal, TERMINAL_NAME } from './terminal.ts';
import { terminalComplaint, terminalSettings } from './terminal-settings.ts';

const read = (given: Readonly<Record<string, unknown>>) =>
  readSettings(terminalSettings, given, { vocabulary: { operations: [], fields: [] } });

describe('settings of a terminal', () => {
  it.each([
    [{ currencies: ['usd', 'EUR', 'USD'] }, { currencies: ['USD', 'EUR'] }],
    [{ currencies: ['all'] }, { currencies: [] }],
    [{ currencies: 'all' }, { currencies: [] }],
    [{ brands: ['visa', 'AMEX'] }, { brands: ['VISA', 'AMEX'] }],
    [{ operations: ['sale', 'Push'] }, { operations: ['sale', 'push'] }],
    [
      { minimum: '0.001', maximum: '999999999999' },
      { minimum: '0.001', maximum: '999999999999' },
    ],
    [
      { dayAmount: 'none', dayCount: 'none' },
      { dayAmount: undefined, dayCount: undefined },
    ],
    [
      { dayAmount: '1000.50', dayCount: 7 },
      { dayAmount: '1000.50', dayCount: 7 },
    ],
    [
      { merchantNumber: 'M-1', terminalNumber: 'T/1' },
      { merchantNumber: 'M-1', terminalNumber: 'T/1' },
    ],
  ])('%j are read as %j', (given, value) => {
    expect(read(given)).toEqual(value);
  });

  it.each([
    [{ currencies: ['XXX'] }, '"XXX" is not an ISO 4217 code such as USD'],
    [{ currencies: [7] }, '"7" is not an ISO 4217 code such as USD'],
    [{ brands: ['PLASTIC'] }, expect.stringMatching(/^there is no card brand "PLASTIC"; there are VISA, MASTERCARD, /)],
    [{ brands: ['constructor'] }, expect.stringMatching(/^there is no card brand "constructor"; /)],
    [
      { operations: ['capture'] },
      'there is no operation "capture"; there are sale, preauth, verification, push, pull, eligibility',
    ],
    [{ minimum: '1,50' }, 'minimum: major units such as 250 or 250.00 are needed, not "1,50"'],
    [{ minimum: '-1' }, 'minimum: major units such as 250 or 250.00 are needed, not "-1"'],
    [{ maximum: '1.0000' }, 'maximum: major units such as 250 or 250.00 are needed, not "1.0000"'],
    [{ dayAmount: 1 }, 'dayAmount: major units such as 250 or 250.00 are needed, not "1"'],
    [{ dayCount: 0 }, expect.stringMatching(/^dayCount: a whole number from 1 to \d+ is needed, not "0"$/)],
    [{ merchantNumber: 'M 1' }, 'merchantNumber: 1 to 24 plain characters without spaces are needed, not "M 1"'],
    [{ terminalNumber: '12345678901234567' }, expect.stringMatching(/^terminalNumber: 1 to 16 plain characters/)],
  ])('%j are not taken', (given, fault) => {
    expect((read(given) as InvalidSettings).faults).toEqual([fault]);
  });

  it.each([
    [undefined, undefined, true],
    ['1', undefined, true],
    ['1', '1.000', true],
    ['9.99', '10', true],
    ['9.5', '9.499', false],
    ['10', '9.99', false],
    ['0.1', '0.05', false],
  ])('a minimum of %s and a maximum of %s go together: %s', (minimum, maximum, fits) => {
    const complaint = terminalComplaint(newTerminal({ name: 'one', connector: 'some', minimum, maximum }));
    expect(complaint).toBe(fits ? undefined : 'minimum: it must not be above the maximum');
  });
});

it('a new terminal is enabled and takes all its connector does', () => {
  expect(newTerminal({ name: 'one', connector: 'some' })).toEqual({
    ...{ name: 'one', connector: 'some', enabled: true, currencies: [], brands: [], operations: [] },
    ...{ minimum: undefined, maximum: undefined, dayAmount: undefined, dayCount: undefined },
    ...{ merchantNumber: undefined, terminalNumber: undefined },
  });
});

it.each([
  ['demo-bank', true],
  ['a', true],
  [`a${'b'.repeat(39)}`, true],
  [`a${'b'.repeat(40)}`, false],
  ['1a', false],
  ['-a', false],
  ['Acme', false],
  ['a_b', false],
  ['a/b', false],
  ['', false],
])('%j can be the name of a terminal: %s', (name, can) => {
  expect(TERMINAL_NAME.test(name)).toBe(can);
});
