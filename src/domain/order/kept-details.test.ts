import { describe, expect, it } from 'vitest';
import type { OrderDetails } from './details.ts';
import { keptDetails, type OwnNumbers } from './kept-details.ts';

const NUMBER = '4485-2757-4230-8327';
const MASK = '448527******8327';
const NOTHING: OwnNumbers = { cards: [], account: undefined };

describe('of details with a card number', () => {
  it.each<keyof OrderDetails>(['description', 'firstName', 'address', 'city', 'state', 'purpose', 'comment'])(
    '%s is kept masked',
    (name) => {
      expect(keptDetails({ [name]: `a ${NUMBER} b` }, NOTHING)).toEqual({ kept: { [name]: `a ${MASK} b` } });
    },
  );

  it.each<keyof OrderDetails>([
    'email',
    'phone',
    'cellPhone',
    'siteUrl',
    'merchantData',
    'redirectUrl',
    'redirectSuccessUrl',
    'redirectFailUrl',
    'serverCallbackUrl',
    'notifyUrl',
  ])('%s is put aside as it was sent', (name) => {
    const told = { [name]: `https://x.example/${NUMBER}` };
    expect(keptDetails({ ...told, city: 'Rome' }, NOTHING)).toEqual({ kept: { city: 'Rome' }, aside: told });
  });

  it('what was told of browser and receiver is masked one by one', () => {
    const details = { browser: { userAgent: `M ${NUMBER}`, language: 'en' }, receiver: { city: 'Rome' } };
    expect(keptDetails(details, NOTHING).kept).toEqual({
      browser: { userAgent: `M ${MASK}`, language: 'en' },
      receiver: { city: 'Rome' },
    });
  });
});

it('the numbers of the order itself are found whatever brand they have', () => {
  const own = { cards: ['9999999999999995'], account: { number: 'DE89370400440532013000', mask: '***3000' } };
  const details = {
    description: '9999 9999 9999 9995 to DE89370400440532013000',
    merchantData: 'DE89370400440532013000',
  };
  expect(keptDetails(details, own)).toEqual({
    kept: { description: '999999******9995 to ***3000' },
    aside: { merchantData: 'DE89370400440532013000' },
  });
  expect(keptDetails({ description: '9999 9999 9999 9995' }, NOTHING).kept).toEqual({
    description: '9999 9999 9999 9995',
  });
});

it('details without a number are the same object', () => {
  const details = { description: 'order 1763405432123 of 2026-11-17', email: 'ann@example.com', phone: '+12025550123' };
  expect(keptDetails(details, NOTHING)).toEqual({ kept: details, aside: undefined });
  expect(keptDetails(details, NOTHING).kept).toBe(details);
});
