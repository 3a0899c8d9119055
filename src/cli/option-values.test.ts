import { describe, expect, it } from 'vitest';
import {
  addressRangesOf,
  bankAddressOf,
  callbackHostsOf,
  cutOffOf,
  dateOf,
  daysOf,
  delayOf,
  firstIdOf,
  idOf,
  idsOf,
  limitModeOf,
  listOf,
  momentOf,
  onOffOf,
  pauseOf,
  portNumber,
  shareOf,
  strideOf,
  subjectsOf,
} from './option-values.ts';
import { collectorAddressOf, settingsFrom } from './setting-options.ts';

describe('the values of options', () => {
  it.each([
    [bankAddressOf, 'http://127.0.0.1:8081', 'http://127.0.0.1:8081'],
    [pauseOf, '0', 0],
    [portNumber, '0', 0],
    [portNumber, '65535', 65535],
    [idOf, '42', 42],
    [firstIdOf, '99999999999', 99_999_999_999],
    [strideOf, '1000', 1000],
    [subjectsOf, 'CN=a,O=b', ['CN=a,O=b']],
    [subjectsOf, 'CN=a; CN=b\\;c', ['CN=a', 'CN=b\\;c']],
    [idsOf, '101, 102', [101, 102]],
    [listOf, 'a,,b ', ['a', 'b']],
    [listOf, '', []],
    [callbackHostsOf, 'shop, 10.0.0.0/8,[fd00::1]:80', ['shop', '10.0.0.0/8', '[fd00::1]:80']],
    [onOffOf, 'on', true],
    [limitModeOf, 'on', 'on'],
    [limitModeOf, 'off', 'off'],
    [limitModeOf, 'enforced', 'on'],
    [shareOf, '0.25', 0.25],
    [delayOf, '20', 20],
    [delayOf, '100-500', { from: 100, to: 500 }],
    [dateOf, '2027-01-31', '2027-01-31'],
    [daysOf, '400', 400],
    [daysOf, 'forever', 'forever'],
    [cutOffOf, '23:00', '23:00'],
    [cutOffOf, 'never', 'never'],
    [addressRangesOf, '127.0.0.1, 10.0.0.0/8', ['127.0.0.1', '10.0.0.0/8']],
    [momentOf, '2027-01-31', '2027-01-31T00:00:00.000Z'],
    [momentOf, '2027-01-31T18:00:00+02:00', '2027-01-31T16:00:00.000Z'],
  ] as const)('%o reads %j', (read, text, value) => {
    expect(read(text)).toEqual(value);
  });

  it.each([
    [bankAddressOf, 'foo'],
    [bankAddressOf, 'https://bank.example'],
    [pauseOf, '-1'],
    [firstIdOf, '0'],
    [firstIdOf, '100000000000'],
    [strideOf, '0'],
    [strideOf, '1001'],
    [portNumber, '65536'],
    [addressRangesOf, '127.0.0.1,proxy'],
    [callbackHostsOf, 'shop,http://shop'],
    [callbackHostsOf, ''],
    [cutOffOf, '24:00'],
    [cutOffOf, '7:00'],
    [portNumber, '-1'],
    [portNumber, '8080.5'],
    [portNumber, '0x50'],
    [idOf, '0'],
    [idsOf, '101,x'],
    [onOffOf, 'yes'],
    [limitModeOf, 'strict'],
    [shareOf, '1.1'],
    [shareOf, '-0.1'],
    [delayOf, '500-100'],
    [delayOf, '1-2-3'],
    [delayOf, 'soon'],
    [dateOf, '2027-02-31'],
    [daysOf, '0'],
    [daysOf, '36501'],
    [daysOf, 'never'],
    [dateOf, 'today'],
    [momentOf, 'tomorrow'],
    [momentOf, '2027-02-31T00:00:00'],
    [momentOf, '2027-02-31T00:00:00Z'],
    [momentOf, '2027-02-31'],
    [momentOf, '2027-13-01'],
  ] as const)('%o does not take %j', (read, text) => {
    expect(() => read(text)).toThrow();
  });
});

it('lists of private hosts are for sandboxes: production does not start with one', () => {
  const values = { host: '127.0.0.1', port: 0, data: 'data', keyFile: 'keys', callbackHosts: ['shop'] };
  expect(settingsFrom({ ...values, mode: 'sandbox' }).callbackHosts).toEqual(['shop']);
  expect(() => settingsFrom({ ...values, mode: 'production' })).toThrow(/--callback-hosts is for sandboxes/);
});

describe('the address of a collector', () => {
  it('is one of the web', () => {
    expect(collectorAddressOf('http://localhost:4318')).toBe('http://localhost:4318');
    expect(() => collectorAddressOf('localhost:4318')).toThrow('An address such as');
  });

  it.each(['http://ann:secret@localhost:4318', 'https://ann@localhost', 'https://:secret@localhost'])(
    'holds no user and no password: %s',
    (text) => {
      expect(() => collectorAddressOf(text)).toThrow('An address of a collector holds no user and no password.');
    },
  );
});
