import { describe, expect, it } from 'vitest';
import { CARD_BRANDS } from '../../domain/card/card.ts';
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
    order: { currency: 'EUR', clientOrderId: 'inv-1', orderId: 4711, reversed: 0n },
    details: {},
    transaction: { seq: 1, type, amount: 1042n, changedAt: 0, answer },
    card: { brand: 'VISA', lastFour: '1111' },
    payee: type === 'transfer' ? { brand: 'MASTERCARD', lastFour: '4444' } : undefined,
    merchant: { name: 'Ann’s Socks' },
    endpoint: { endpointId: 101, sandbox: false, frameAncestors: [], descriptor: 'SOCKS', requiredFields: [] },
    look: { texts: {} },
    payableUntil: 0,
    cardsLeft: 2,
    receiptId: 'receipt-1',
    brands: CARD_BRANDS,
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

  it('of a payout that its bank returned', () => {
    const order = { ...payerOrder({}).order, reversed: 1042n };
    expect(outcome({ type: 'payout', state: 'approved', order })).toContain(
      'Money returned €10.42 came back: it could not be paid to your card. Please ask Ann’s Socks.',
    );
  });

  it.each(ENDED)('is nothing of payments and charges on a payout that is %s', (state) => {
    expect(outcome({ type: 'payout', state, code: '116' })).not.toMatch(/pay\b|payment|charge|account/i);
  });

  it.each(ENDED)('is nothing of payments when a card was only checked: %s', (state) => {
    expect(outcome({ type: 'account-verification', state })).not.toMatch(/pay\b|payment/i);
  });

  it('is that the payer cancelled it, not that the card was declined', () => {
    const text = outcome({ code: '193' });
    expect(text).toMatch(/^Cancelled You cancelled the check at your bank\. You have not been charged\. If you ask/);
    expect(text).not.toContain('declined');
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

const SHOP = 'https://shop.example/';
const REDIRECT = { url: 'https://shop.example/back', fields: [['status', 'declined']] } as const;

describe('a page at the end', () => {
  const pageOf = (about: About, language?: Language) =>
    String(outcomePage(context(language), payerOrder(about)).body).replaceAll('&#39;', "'");

  it.each([...ENDED, 'gone'] as const)('names the amount and the reference to a payer whose order is %s', (state) => {
    for (const language of LANGUAGES) {
      const text = outcome({ state }, language);
      expect(text).toContain('4711');
      expect(text).toContain('inv-1');
      expect(text).toMatch(/10[.,]42/);
    }
  });

  it.each([...ENDED, 'gone', 'approved', 'kept'] as const)('that is %s has a way back and a button', (state) => {
    expect(pageOf({ state, redirect: REDIRECT })).toContain('action="https://shop.example/back"');
    expect(pageOf({ state, shopUrl: SHOP })).toContain('<a class="button" href="https://shop.example/"');
    expect(pageOf({ state })).toContain('href="/paynet/view-receipt/101/receipt-1/?lang=en"');
  });

  it('says how to go on where there is a way back', () => {
    expect(outcome({ shopUrl: SHOP })).toContain('To try again, go back to Ann’s Socks.');
    expect(outcome({ type: 'payout', shopUrl: SHOP })).not.toContain('To try again');
    expect(outcome({})).not.toContain('To try again');
  });

  it('tells no outcome and no card when the link shows it no longer', () => {
    const text = outcome({ state: 'gone', code: '116' });
    expect(text).toContain('This page was open for a limited time only.');
    expect(text).not.toMatch(/declined|money|1111|VISA/);
  });
});

describe('a form', () => {
  const formOf = (about: About, language?: Language) =>
    String(
      formPage(context(language), payerOrder({ state: 'card', details: { email: 'a@b.c' }, ...about }), { proof: '' })
        .body,
    );
  const card = { brand: 'VISA', lastFour: '1111', expireMonth: 8, expireYear: 2031, holder: 'ANN EXAMPLE' };
  const tried = (declineCode: string | undefined) =>
    formOf({ declineCode, card: card as unknown as PayerOrder['card'] });

  it('keeps the name and the expiry date after a decline, never the number or the code', () => {
    const text = tried('116');
    expect(text).toMatch(/<input[^>]*name="card_printed_name"[^>]*value="ANN EXAMPLE"/);
    expect(text).toMatch(/<input[^>]*name="expiry"[^>]*value="08 \/ 31"/);
    for (const name of ['credit_card_number', 'cvv2']) {
      expect(new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(text)?.[0]).not.toContain('value=');
    }
  });

  it('keeps no expiry date that was the reason, and nothing before the first card', () => {
    expect(tried('101')).not.toContain('value="08 / 31"');
    expect(tried(undefined)).not.toContain('ANN EXAMPLE');
  });

  it('shows the brands that are taken', () => {
    const marks = (text: string) => [...text.matchAll(/data-mark="(\w+)"/g)].map(([, brand]) => brand);
    expect(marks(formOf({}))).toEqual(['VISA', 'MASTERCARD', 'AMEX', 'DINERS', 'DISCOVER', 'JCB', 'UNIONPAY']);
    const some = formOf({ brands: ['VISA', 'MIR'] });
    expect(marks(some)).toEqual(['VISA', 'MIR']);
    expect(some).toContain('aria-label="Cards accepted: Visa, Mir"');
    expect(some).toContain('data-accepted="VISA MIR"');
    expect(some).not.toContain('American Express');
    expect(formOf({})).not.toContain('data-accepted');
  });

  it('has a link to the shop before the first card, and a button between two', () => {
    expect(formOf({ shopUrl: SHOP })).toContain('<a class="to-shop" href="https://shop.example/" rel="noreferrer">');
    const between = formOf({ shopUrl: SHOP, wayOut: 'shop', declineCode: '116' });
    expect(between).not.toContain('to-shop');
    expect(between).toContain('name="leave"');
    expect(formOf({})).not.toContain('to-shop');
  });

  it('asks for the e-mail address before the card, and for the rest behind it', () => {
    const endpoint = { endpointId: 101, sandbox: false, frameAncestors: [], requiredFields: ['city'] };
    const text = formOf({ details: {}, endpoint: endpoint as unknown as PayerOrder['endpoint'] });
    const at = ['email', 'credit_card_number', 'cvv2', 'city'].map((name) => text.indexOf(`name="${name}"`));
    expect(at.every((place) => place > 0)).toBe(true);
    expect(at).toEqual([...at].sort((a, b) => a - b));
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
