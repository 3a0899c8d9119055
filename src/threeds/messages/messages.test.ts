// Every message in both versions is made from its own table: it reads back as it was written, and when a required field
// is missing or a field is too long, the fault names that field.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultsIn } from './faults.ts';
import { type FieldTable, type FieldUse, type Format, VERSIONS, type Version } from './format.ts';
import { type AnyMessage, fieldsOf, MESSAGES, type MessageType } from './message.ts';
import { readMessage, writeMessage } from './read-message.ts';

const TYPES = Object.keys(MESSAGES) as MessageType[];
const CASES = TYPES.flatMap((type) => VERSIONS.map((version) => [type, version] as const));

/** As often as `fc.option` leaves a value out. */
const isOneInSix = fc.integer({ min: 0, max: 5 }).map((number) => number === 0);

const known = new Map<string, Map<object, fc.Arbitrary<unknown>>>();

/** Made once for each format: an arbitrary of a pattern takes longer to make than all the values taken from it. */
function anyValue(format: Format<unknown>, version: Version): fc.Arbitrary<unknown> {
  const ofVersion = known.get(version) ?? new Map();
  known.set(version, ofVersion);
  const arbitrary = ofVersion.get(format) ?? newArbitrary(format, version);
  ofVersion.set(format, arbitrary);
  return arbitrary;
}

function newArbitrary(format: Format<unknown>, version: Version): fc.Arbitrary<unknown> {
  switch (format.kind) {
    case 'text':
      return textOf(format);
    case 'code':
      return fc.constantFrom(...format.codes[version]);
    case 'boolean':
      return format.only === undefined ? fc.boolean() : fc.constant(format.only);
    case 'free-object':
      return fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.string({ maxLength: 20 }), { maxKeys: 4 });
    case 'list':
      return fc.array(anyValue(format.of, version), { minLength: 1, maxLength: Math.min(format.most, 3) });
    case 'object':
      return fc.record(membersOf(format.members, version)).map(without(undefined));
  }
}

/** Whether the message has every field that its kind or another field requires. */
function isWhole(type: MessageType, version: Version, message: AnyMessage): boolean {
  const category = ('messageCategory' in message && message.messageCategory) || '01';
  return Object.entries(fieldsOf(type)).every(([name, { need, versions }]) => {
    if (name in message || need === 'always' || need === 'optional' || !versions.includes(version)) return true;
    return !need.holds({ message, version, category });
  });
}

function textOf({ shortest, longest, pattern, also }: Format<unknown> & { kind: 'text' }): fc.Arbitrary<string> {
  const fits = (value: string) =>
    value.trim() !== '' && value.length >= shortest && value.length <= longest && (also?.(value) ?? true);
  if (shortest === longest && /^\^\[0-9\]\{(8|12|14)\}\$$/.test(pattern.source)) {
    const years = { min: new Date('1970-01-01T00:00:00Z'), max: new Date('2090-01-01T00:00:00Z'), noInvalidDate: true };
    return fc.date(years).map((date) => date.toISOString().replace(/\D/g, '').slice(0, longest));
  }
  if (longest === 36 && shortest === 36) return fc.uuid();
  if (/27\}=\$$/.test(pattern.source)) {
    return fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('base64'));
  }
  if (pattern.source === '^[0-9]+$') {
    const digit = fc.constantFrom(...'0123456789');
    return fc.string({ unit: digit, minLength: shortest, maxLength: longest }).filter(fits);
  }
  if (pattern.source.startsWith('^https?')) {
    return fc.stringMatching(/^https:\/\/[a-z]{1,10}\.example\/[a-z0-9]{0,20}$/).filter(fits);
  }
  const unit = fc.constantFrom(...'abcXYZ019 -.');
  const plain = fc.string({ unit, minLength: shortest, maxLength: Math.min(longest, 40) });
  return pattern.unicode ? plain.filter(fits) : fc.stringMatching(pattern, { size: 'small' }).filter(fits);
}

function membersOf(table: FieldTable, version: Version): Record<string, fc.Arbitrary<unknown>> {
  const uses = Object.entries(table).filter(([, { versions }]) => versions.includes(version));
  return Object.fromEntries(uses.map(([name, use]) => [name, memberOf(use, version)]));
}

function memberOf({ need, format }: FieldUse<unknown, boolean>, version: Version) {
  const value = anyValue(format, version);
  return need === 'always' ? value : fc.option(value, { nil: undefined });
}

function without(absent: unknown) {
  return (values: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== absent));
}

/** A message with every field that its conditions require, and some optional ones. */
function messageOf(type: MessageType, version: Version): fc.Arbitrary<AnyMessage> {
  const table = fieldsOf(type);
  const uses = Object.entries(table).filter(([, { versions }]) => versions.includes(version));
  const all = fc.record(Object.fromEntries(uses.map(([name, { format }]) => [name, anyValue(format, version)])));
  const isLeftOut = fc.record(
    Object.fromEntries(uses.map(([name, { need }]) => [name, need === 'always' ? fc.constant(false) : isOneInSix])),
  );
  return fc.tuple(all, isLeftOut).map(([all, isLeftOut]) => {
    const message = Object.fromEntries(Object.entries(all).filter(([name]) => !isLeftOut[name]));
    delete message.messageExtension;
    for (let missing = missingIn(message); missing.length > 0; missing = missingIn(message)) {
      for (const name of missing) message[name] = all[name];
    }
    return { messageType: type, messageVersion: version, ...message } as AnyMessage;
  });

  function missingIn(message: Record<string, unknown>): string[] {
    const category = (message.messageCategory ?? '01') as '01' | '02';
    return faultsIn(message, table, { version, category })
      .filter(({ code, field }) => code === '201' && field in table)
      .map(({ field }) => field);
  }
}

describe.each(CASES)('%s in %s', (type, version) => {
  const options = { component: 'S', version } as const;
  const read = (message: object) => readMessage(type, JSON.stringify(message), options);

  it('survives the way out and in', () => {
    fc.assert(
      fc.property(messageOf(type, version), (message) => {
        const reading = readMessage(type, writeMessage(message), options);
        expect(reading).toEqual({ outcome: 'message', message });
      }),
      { numRuns: 20 },
    );
  });

  it('names a required field that is missing, empty, or null', () => {
    fc.assert(
      fc.property(
        messageOf(type, version),
        fc.constantFrom(undefined, null, '', '  '),
        fc.nat(),
        (message, nothing, pick) => {
          const table = fieldsOf(type);
          const given = {
            message,
            version,
            category: ('messageCategory' in message && message.messageCategory) || '01',
          } as const;
          const required = Object.entries(table).filter(
            ([name, { need, versions }]) =>
              versions.includes(version) &&
              name in message &&
              (need === 'always' ||
                (need !== 'optional' && need.holds({ ...given, message: { ...message, [name]: undefined } }))),
          );
          const [name = ''] = required[pick % required.length] ?? [];
          const reading = read({ ...message, [name]: nothing });
          expect(reading).toMatchObject({ outcome: 'fault', erro: { errorCode: '201', errorComponent: 'S' } });
          expect(reading.outcome === 'fault' && reading.erro.errorDetail.split(',')).toContain(name);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('names every text that is too long', () => {
    fc.assert(
      fc.property(messageOf(type, version), fc.nat(), (message, pick) => {
        const texts = Object.entries(fieldsOf(type)).filter(
          ([, { format, versions }]) => format.kind === 'text' && versions.includes(version),
        );
        const [name = '', use] = texts[pick % texts.length] ?? [];
        const longest = use?.format.kind === 'text' ? use.format.longest : 0;
        const changed = { ...message, [name]: '1'.repeat(longest + 1) } as AnyMessage;
        // A state requires its country: a missing field would be reported first.
        fc.pre(isWhole(type, version, changed));
        expect(read(changed)).toMatchObject({ outcome: 'fault', erro: { errorCode: '203', errorDetail: name } });
      }),
      { numRuns: 20 },
    );
  });

  it('takes no number, text or object in the place of another', () => {
    fc.assert(
      fc.property(messageOf(type, version), fc.nat(), fc.constantFrom(5, [], ['x'], {}), (message, pick, wrong) => {
        // A message without a readable category is taken for a payment, which requires more fields.
        const always = Object.entries(fieldsOf(type)).filter(
          ([name, { need }]) => need === 'always' && name !== 'messageCategory',
        );
        const [name = '', use] = always[pick % always.length] ?? [];
        fc.pre(use?.format.kind !== 'object' && use?.format.kind !== 'free-object');
        expect(read({ ...message, [name]: wrong })).toMatchObject({ outcome: 'fault', erro: { errorCode: '203' } });
      }),
      { numRuns: 20 },
    );
  });
});
