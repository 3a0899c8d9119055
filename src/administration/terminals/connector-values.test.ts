import { describe, expect, it } from 'vitest';
import {
  type Connector,
  defineConnector,
  optionalSecretValue,
  optionalValue,
  requiredValue,
  secretValue,
} from '../../acquirers/connector.ts';
import { flag, formed, line, listed, wholeNumber, word } from '../../domain/input-kinds.ts';
import {
  type ConnectorChange,
  type ConnectorGiven,
  changedValues,
  NOTHING_GIVEN,
  unspelled,
} from './connector-values.ts';

const CONNECTOR: Connector = defineConnector({
  name: 'wired',
  says: 'a bank of this test',
  settings: {
    host: requiredValue(line(50), { says: 'where it is' }),
    port: requiredValue(wholeNumber(1, 65_535), { says: 'its port', default: 8583 }),
    tls: optionalValue(flag, { says: 'whether the line is encrypted' }),
    dialect: optionalValue(word(['1987', '1993']), { says: 'which messages it speaks' }),
    networks: optionalValue(listed(line(10)), { says: 'where it sends cards' }),
    macKey: secretValue(formed(/^[0-9a-f]{32}$/, '32 hexadecimal digits'), { says: 'what messages are proved with' }),
    password: optionalSecretValue(line(50), { says: 'what it signs on with' }),
  },
  does: ['sale'],
  partial: [],
  inquiry: 'none',
  needsCard: false,
  open: () => {
    throw new Error('it is never opened here');
  },
});

const MAC_KEY = '0123456789abcdef0123456789abcdef';
const GIVEN: ConnectorGiven = { settings: { host: 'bank.example', port: 700 }, secrets: { macKey: MAC_KEY } };

describe('what is given to a connector', () => {
  const cases: [string, ConnectorGiven, ConnectorChange, ConnectorGiven][] = [
    [
      'is kept as its kind takes it, secrets apart',
      NOTHING_GIVEN,
      {
        settings: { host: 'bank.example', port: '700', tls: 'on', dialect: '1993', networks: 'a, b' },
        secrets: { macKey: MAC_KEY },
      },
      {
        settings: { host: 'bank.example', port: 700, tls: true, dialect: '1993', networks: ['a', 'b'] },
        secrets: { macKey: MAC_KEY },
      },
    ],
    [
      'takes the place of what was',
      GIVEN,
      { settings: { port: 701 } },
      { ...GIVEN, settings: { host: 'bank.example', port: 701 } },
    ],
    [
      'leaves the other secrets',
      GIVEN,
      { secrets: { password: 'x' } },
      { ...GIVEN, secrets: { macKey: MAC_KEY, password: 'x' } },
    ],
    ['can be taken away', GIVEN, { unset: ['port'] }, { ...GIVEN, settings: { host: 'bank.example' } }],
  ];

  it.each(cases)('%s', (_, before, change, after) => {
    expect(changedValues(CONNECTOR, before, change)).toEqual({ given: after, faults: [] });
  });
});

describe('everything that is wrong with it is told, one line each', () => {
  const cases: [ConnectorGiven, ConnectorChange, string[]][] = [
    [
      NOTHING_GIVEN,
      {},
      [
        'setting host is missing: 1 to 50 characters on one line is needed',
        'setting macKey is missing: 32 hexadecimal digits is needed',
      ],
    ],
    [
      GIVEN,
      { settings: { port: '70000', tls: 'maybe', dialect: 'latin' } },
      [
        'setting port: a whole number from 1 to 65535 is needed, not "70000"',
        'setting tls: true or false is needed',
        'setting dialect: one of 1987, 1993 is needed, not "latin"',
      ],
    ],
    [
      GIVEN,
      { settings: { hots: 'x' } },
      [expect.stringMatching(/^setting hots: connector wired has no such setting; it has host, /) as never],
    ],
    [
      GIVEN,
      { secrets: { macKee: 'x' } },
      ['setting macKee: connector wired has no such secret; it has macKey, password'],
    ],
    [GIVEN, { unset: ['tls'] }, ['setting tls: it is not set, so it cannot be unset']],
    [GIVEN, { unset: ['macKey'] }, ['setting macKey is missing: 32 hexadecimal digits is needed']],
    ...['constructor', 'toString', '__proto__'].map((name): [ConnectorGiven, ConnectorChange, string[]] => [
      GIVEN,
      { settings: { [name]: 'x' } },
      [expect.stringMatching(new RegExp(`^setting ${name}: connector wired has no such setting`)) as never],
    ]),
  ];

  it.each(cases)('%j with %j', (before, change, faults) => {
    expect(changedValues(CONNECTOR, before, change).faults).toEqual(faults);
  });

  it('and no secret is repeated, wherever it was given', () => {
    const wrong = 'SECRET-THAT-IS-NO-KEY';
    const changes = [
      { secrets: { macKey: wrong } },
      { settings: { macKey: wrong } },
      { settings: { macKey: wrong }, secrets: { host: wrong } },
    ];
    for (const change of changes) {
      const { faults } = changedValues(CONNECTOR, NOTHING_GIVEN, change);
      expect(faults.length).toBeGreaterThan(0);
      expect(faults.join('\n')).toContain('macKey');
      expect(faults.join('\n')).not.toContain(wrong);
    }
    expect(changedValues(CONNECTOR, NOTHING_GIVEN, { settings: { macKey: wrong } }).given.settings).toEqual({});
  });
});

it.each([
  ['number', '42', 42],
  ['number', '4 2', '4 2'],
  ['number', 42, 42],
  ['flag', 'on', true],
  ['flag', 'false', false],
  ['flag', 'constructor', 'constructor'],
  ['list', 'a,,b ', ['a', 'b']],
  ['ids', '1,2', [1, 2]],
  ['text', '42', '42'],
  [undefined, '42', '42'],
] as const)('as %s, %j is %j', (spelling, given, value) => {
  expect(unspelled(spelling, given)).toEqual(value);
});
