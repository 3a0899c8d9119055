import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from '../../domain/merchant/look.ts';
import type { TransactionType } from '../../domain/order/transaction-types.ts';
import type { PayerOrder, PayerState } from '../../processing/checkout/checkout.ts';
import { formPage } from './form-page.ts';
import { pageContext } from './layout.ts';
import { outcomePage } from './outcome-pages.ts';

const context = (language: Language = 'en') =>
  pageContext({
    language,
    assets: { stylesheet: 'a.css', script: 'a.js', icon: 'a.svg', files: new Map() },
    basePath: '/paynet',
    path: '/paynet/pay/token',
  });

type About = Partial<Omit<PayerOrder, 'transaction'>> & { readonly type?: TransactionType; readonly code?: string };

function payerOrder({ type = 'sale', code, ...about }: About): PayerOrder {
  const answer = code === undefined ? undefined : { word: 'declined', code };
  return {
    state: 'declined',
    order: { currency: 'EUR', clientOrderId: 'inv-1' },
    details: {},
    transaction: { seq: 1, type, amount: 1042n, changedAt: 0, answer },
    card: { brand: 'VISA', lastFour: '1111' },
    payee: type === 'transfer' ? { brand: 'MASTERCARD', lastFour: '4444' } : undefined,
    merchant: { name: 'Ann’s Socks' },
    endpoint: { endpointId: 101, sandbox: false, frameAncestors: [], descriptor: 'SOCKS', requiredFields: [] },
    look: { texts: {} },
    payableUntil: 0,
    cardsLeft: 2,
    ...about,
  } as unknown as PayerOrder;
}

/** The readable text of a page, without the list of languages. */
function readable(body: string | Buffer): string {
  const [, main = ''] = /<main>(.*)<\/main>/s.exec(String(body)) ?? [];
  return main
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const outcome = (about: About, language?: Language) => readable(outcomePage(context(language), payerOrder(about)).body);
const form = (about: About, language?: Language) =>
  readable(formPage(context(language), payerOrder({ state: 'card', ...about }), { proof: '' }).body);

const ENDED: readonly PayerState[] = ['declined', 'locked', 'filtered', 'failed', 'late', 'expired'];

describe('what a payer is told in the end', () => {
  it.each<[TransactionType, PayerState, string]>([
    ['sale', 'declined', 'Payment declined Your card was declined. You have not been charged.'],
    ['account-verification', 'declined', 'Card not confirmed Your card was declined. You have not been charged.'],
    ['payout', 'declined', 'Payout declined The money could not be sent to this card.'],
    ['transfer', 'declined', 'Transfer declined Your card was declined. You have not been charged.'],
    ['transfer', 'approved', 'Money sent €10.42 is on its way to the card ending in 4444.'],
  ])('of a %s that is %s', (type, state, text) => {
    expect(outcome({ type, state })).toContain(text);
  });

  it.each(ENDED)('is nothing of payments and charges on a payout that is %s', (state) => {
    expect(outcome({ type: 'payout', state, code: '116' })).not.toMatch(/pay\b|payment|charge|account/i);
  });

  it.each(ENDED)('is nothing of payments when a card was only checked: %s', (state) => {
    expect(outcome({ type: 'account-verification', state })).not.toMatch(/pay\b|payment/i);
  });

  it('is that the payer cancelled it, not that the card was declined', () => {
    const text = outcome({ code: '193' });
    expect(text).toBe('Cancelled You cancelled the check at your bank. You have not been charged.');
    expect(form({ declineCode: '193' })).toContain(
      'You cancelled the check at your bank. You have not been charged. You can',
    );
  });

  it('is what the issuer wants to be read, as text', () => {
    const issuerSays = 'Call <b>us</b>.';
    for (const text of [outcome({ code: '190', issuerSays }), form({ declineCode: '190', issuerSays })]) {
      expect(text).toContain('Your bank could not confirm that it is you.');
      expect(text).toContain('Your bank says: Call &lt;b&gt;us&lt;/b&gt;.');
    }
  });

  it('is no receipt before money has moved', () => {
    expect(outcome({ type: 'payout', state: 'kept' })).toContain('To be confirmed Merchant');
    expect(outcome({ type: 'payout', state: 'approved' })).toContain('Receipt Merchant');
  });

  it.each(LANGUAGES)('names the card that got the money: %s', (language) => {
    const text = outcome({ type: 'transfer', state: 'approved' }, language);
    expect(text.match(/4444/g)).toHaveLength(2);
    expect(text).toContain('1111');
    const received = outcome({ type: 'sale', state: 'approved' }, language);
    expect(text).not.toContain(received.slice(0, received.indexOf('€')));
  });
});

describe('a form that asks for another card', () => {
  it('says to a payee that nothing could be sent', () => {
    const text = form({ type: 'payout', declineCode: '116' });
    expect(text).toContain('The money could not be sent to this card. You can try 2 more cards.');
    expect(text).not.toMatch(/charged|account/);
  });

  it('says to a payer why', () => {
    const text = form({ declineCode: '116' });
    expect(text).toContain('Your card was declined. You have not been charged. There is not enough money');
  });
});
