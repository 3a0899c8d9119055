import { expect, it } from 'vitest';
import { Secret } from '../domain/secret.ts';
import { AcceptedControl, controlDigest, controlFits, readControl } from './control.ts';
import { strictFault, strictSignature } from './strict.ts';

const key = new Secret('B17F59B4-A7DC-41B4-8FF9-37D986B43D20');
const values = ['1111', '902B4FF5', '1042', 'john.smith@gmail.com'];
const CONTROL = 'c6bdd88a78834ef4b863b088827a459f039e8257';

it('signs the published example', () => {
  expect(controlDigest(values, key).toString('hex')).toBe(CONTROL);
});

it('reads either case, and nothing but forty hexadecimal digits', () => {
  expect(readControl(CONTROL.toUpperCase())?.toString('hex')).toBe(CONTROL);
  for (const text of ['', CONTROL.slice(1), `${CONTROL}0`, `g${CONTROL.slice(1)}`])
    expect(readControl(text)).toBeUndefined();
});

it('fits the values it was made of and no others', () => {
  const sent = Buffer.from(CONTROL, 'hex');
  expect(controlFits(sent, values, key)).toBe(true);
  expect(controlFits(sent, values, new Secret('another'))).toBe(false);
  expect(controlFits(sent, ['1111', '902B4FF5', '1043', 'john.smith@gmail.com'], key)).toBe(false);
});

it('tells two readings of one digest apart', () => {
  const one = ['101', 'inv-1', '11000', 'a@b.c'];
  const other = ['101', 'inv-11', '1000', 'a@b.c'];
  expect(controlDigest(one, key)).toEqual(controlDigest(other, key));
  const digest = controlDigest(one, key);
  expect(new AcceptedControl(digest, one).reading).not.toEqual(new AcceptedControl(digest, other).reading);
});

it('checks every byte, the operation and the time of a strict signature', () => {
  const now = 1_800_000_000_000;
  const subject = { operation: 'SALE', pathId: '101', body: Buffer.from('amount=1') };
  const header = (seconds: number) =>
    `t=${seconds},v1=${strictSignature(String(seconds), subject, key).toString('hex')}`;
  const seconds = now / 1000;
  expect(strictFault(header(seconds), subject, [new Secret('old'), key], now)).toBeUndefined();
  expect(strictFault(header(seconds - 299), subject, [key], now)).toBeUndefined();
  expect(strictFault(header(seconds - 301), subject, [key], now)).toContain('300 s');
  expect(strictFault(header(seconds), { ...subject, body: Buffer.from('amount=2') }, [key], now)).toContain(
    'does not fit',
  );
  expect(strictFault(header(seconds), { ...subject, operation: 'VOID' }, [key], now)).toContain('does not fit');
  expect(strictFault(header(seconds), { ...subject, pathId: '102' }, [key], now)).toContain('does not fit');
  expect(strictFault(undefined, subject, [key], now)).toContain('t=<unix seconds>');
  expect(strictFault('nonsense', subject, [key], now)).toContain('t=<unix seconds>');
});
