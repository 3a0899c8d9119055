import { describe, expect, it } from 'vitest';
import { terminalSettings } from '../acquirer/terminal-settings.ts';
import { endpointSettings, limitsComplaint, sandboxComplaint } from './endpoint-settings.ts';
import { lookSettings } from './look.ts';
import { newEndpoint } from './merchant.ts';
import { merchantSettings } from './merchant-settings.ts';
import { firstSettings, InvalidSettings, readSettings, type Setting, toldSettings } from './setting.ts';
import { columnOf, helpOf, optionOf, settingText, titleOf } from './setting-spelling.ts';

const context = { currency: 'USD', vocabulary: { operations: ['SALE', 'STATUS'], fields: ['phone', 'city'] } };
const lists: [string, readonly Setting[]][] = [
  ['endpoint', endpointSettings],
  ['merchant', merchantSettings],
  ['look', lookSettings],
  ['terminal', terminalSettings],
];
const isFirstUnset = (one: Setting) =>
  'default' in one && (one.default === undefined || (Array.isArray(one.default) && one.default.length === 0));

it('are unset at first in many cases', () => {
  expect(lists.flatMap(([, settings]) => settings.filter(isFirstUnset)).length).toBeGreaterThan(15);
});

describe.each(lists)('the settings of an %s', (_, settings) => {
  it('have names, columns, options and titles of their own', () => {
    for (const spell of [({ name }: Setting) => name, columnOf, optionOf, titleOf]) {
      const spelled = settings.map(spell).filter((one) => one !== undefined);
      expect(new Set(spelled).size).toBe(spelled.length);
    }
  });

  it('begin as something that can be told', () => {
    const given = { name: 'Socks', descriptor: 'SOCKS', sandbox: false };
    const first = firstSettings(settings, 101, given) as never;
    expect(() => JSON.stringify(toldSettings(settings, first, context))).not.toThrow();
  });

  it('that can be cleared are cleared by the word for it, and all of them by none', () => {
    for (const { name, kind } of settings.filter((one) => one.kind.none)) {
      for (const word of [kind.none?.word, 'none', [kind.none?.word], ['none']]) {
        expect(readSettings(settings, { [name]: word }, context)).toEqual({ [name]: kind.none?.value });
      }
    }
  });

  it('that begin unset or empty can be cleared, and show a word for it', () => {
    for (const one of settings.filter(isFirstUnset)) {
      expect(readSettings(settings, { [one.name]: 'none' }, context)).toEqual({ [one.name]: one.default });
      expect(settingText(one, null)).not.toBe('');
    }
  });
});

describe('settings', () => {
  it('are read each by its kind', () => {
    const given = {
      name: ' Socks ',
      enabled: false,
      minimum: '10.5',
      maximum: 'none',
      creditLimit: 'none',
      requiredFields: ['city', 'city'],
      frameAncestors: ['none'],
      country: 'de',
    };
    expect(readSettings(endpointSettings, given, context)).toEqual({
      name: 'Socks',
      enabled: false,
      minimum: 1050n,
      maximum: undefined,
      creditLimit: 0n,
      requiredFields: ['city'],
      frameAncestors: [],
      country: 'DE',
    });
  });

  it.each([
    ['frameAncestors', ['https://shop.example/path?a=1'], ['https://shop.example']],
    ['frameAncestors', ['https://[2001:db8::7]:8443'], ['https://[2001:db8::7]:8443']],
    ['descriptor', 'SOCKS & SHOES', 'SOCKS & SHOES'],
    ['formTries', 1, 1],
    ['formTries', 5, 5],
    ['formTries', 'none', undefined],
  ])('%s takes %j as %j', (name, given, value) => {
    expect(readSettings(endpointSettings, { [name]: given }, context)).toEqual({ [name]: value });
  });

  it.each([
    ['frameAncestors', ["https://a;script-src'*'"]],
    ['frameAncestors', ['https://*']],
    ['frameAncestors', ['ftp://shop.example']],
    ['frameAncestors', ['ws://shop.example']],
    ['descriptor', 'SOCKS\u0000'],
    ['descriptor', 'SOCKS\nSHOES'],
    ['descriptor', 'SÖCKS'],
    ['acquirerMerchantId', 'A\u0007'],
    ['formTries', 0],
    ['formTries', 6],
    ['formTries', 2.5],
    ['formTries', '3'],
  ])('%s does not take %j', (name, given) => {
    expect(readSettings(endpointSettings, { [name]: given }, context)).toBeInstanceOf(InvalidSettings);
  });

  it('are strict or lenient at first as they always were', () => {
    const given = { name: 'Socks', descriptor: 'SOCKS', sandbox: false };
    expect(firstSettings(endpointSettings, 101, given)).toMatchObject({
      ...{ enabled: true, minimum: undefined, maximum: undefined, creditLimit: 0n, requiredFields: [] },
      ...{ threeDSecure: 'none', unauthenticated: 'by-gate', legacyReplies: false, strictSigning: false },
      // Unsigned forms are taken in a sandbox only, unless an operator says so.
      ...{ demandAmounts: false, signedForms: undefined, formAddresses: [], frameAncestors: [] },
      acquirerMerchantId: '101',
    });
  });

  it('that are wrong are all named at once', () => {
    expect(readSettings(endpointSettings, { enabled: 1, category: '1', country: 'DE' }, context)).toEqual(
      new InvalidSettings('enabled: true or false is needed', 'category: 4 digits such as 5999 are needed, not "1"'),
    );
  });

  it('are told in major units, with null for what is unset', () => {
    const endpoint = newEndpoint({
      endpointId: 7,
      merchantId: 1,
      currency: 'USD',
      name: 'Socks',
      descriptor: 'SOCKS',
      sandbox: false,
      maximum: 25_000n,
    });
    expect(toldSettings(endpointSettings, endpoint, context)).toMatchObject({
      minimum: null,
      maximum: '250.00',
      creditLimit: '0.00',
      acquirerMerchantId: '7',
      signedForms: null,
    });
    expect(limitsComplaint({ ...endpoint, minimum: 25_001n })).toBe('minimum: it must not be above the maximum');
    expect(limitsComplaint({ ...endpoint, minimum: 25_000n })).toBeUndefined();
  });

  it('cannot make a sandbox of a production gateway', () => {
    expect(sandboxComplaint({ sandbox: true }, 'production')).toMatch(/^sandbox: /);
    expect(sandboxComplaint({ sandbox: true }, 'sandbox')).toBeUndefined();
    expect(sandboxComplaint({ sandbox: false }, 'production')).toBeUndefined();
  });

  it.each([
    ['threeDSecure', 'three_d_secure', '--3ds <gate>', '3-D Secure'],
    ['signedForms', 'signed_forms', '--signed-forms <on|off>', 'Signed forms'],
    ['enabled', 'enabled', '--enable', 'State'],
  ])('%s is spelled %s, "%s" and "%s"', (name, column, option, title) => {
    const one = endpointSettings.find((setting) => setting.name === name) as Setting;
    expect([columnOf(one), optionOf(one), titleOf(one)]).toEqual([column, option, title]);
  });

  it.each<[readonly Setting[], string, unknown, string]>([
    [endpointSettings, 'signedForms', true, 'on'],
    [endpointSettings, 'enabled', false, 'disabled'],
    [endpointSettings, 'minimum', null, 'none'],
    [endpointSettings, 'minimum', '10.00', '10.00'],
    [merchantSettings, 'allowedAddresses', [], 'any'],
    [merchantSettings, 'allowedOperations', ['SALE', 'STATUS'], 'SALE, STATUS'],
    [lookSettings, 'accent', undefined, "Tender's"],
  ])('of list %# are shown to people as text', (settings, name, told, text) => {
    expect(settingText(settings.find((one) => one.name === name) as Setting, told)).toBe(text);
  });

  it('say which word clears them', () => {
    expect(helpOf(merchantSettings[2])).toBe('network addresses requests may come from, or any; none means any');
    expect(helpOf(endpointSettings[0])).toBe('name for people');
  });
});
