// Receipts by e-mail: who gets one, what it tells, and that nobody gets two, whatever dies meanwhile.

import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { CARD, describeGateway, until } from '../harness.ts';
import { MailServer, readable, type TakenMail } from '../mail-server.ts';
import { openForm } from './form-payer.ts';

const answers: (number | 'hang-up')[] = [];
const server = await MailServer.open({ judge: () => answers.shift() ?? 250 });
const settings = { smtpUrl: `smtp://127.0.0.1:${server.port}`, mailFrom: 'receipts@pay.example' };

afterAll(() => server.close());

const newAddress = () => `ann.${randomUUID()}@example.com`;
const mailsTo = (email: string): TakenMail[] => server.taken.filter(({ to }) => to.includes(email));

describeGateway('receipts by e-mail', { settings }, (gateway) => {
  afterAll(async () => {
    await gateway.untilAllFinal();
  });

  async function paid(changes: Record<string, string> = {}, language = 'en') {
    const email = newAddress();
    const form = await openForm(gateway, 'sale-form', { email });
    await form.payer.pay(changes, { 'accept-language': language });
    return { ...form, email };
  }

  const stateOf = async (orderId: string) => {
    const rows = await gateway.query(`select state from receipt_mails where order_id = ${orderId}`);
    return rows[0]?.state as string | undefined;
  };
  const untilState = (orderId: string, state: string) =>
    until(`the receipt is ${state}`, async () => (await stateOf(orderId)) === state);

  it('tell the payer what was paid, in the language of the page, and of the card four digits', async () => {
    const { email, orderId, clientOrderId, payer } = await paid({}, 'de');
    await untilState(orderId, 'sent');
    expect(mailsTo(email)).toHaveLength(1);
    const [mail] = mailsTo(email) as [TakenMail];
    expect(readable(mail.headers.get('subject'))).toBe('Ihr Beleg von Demo merchant');
    expect(readable(mail.headers.get('from'))).toBe('Demo merchant <receipts@pay.example>');
    for (const type of ['text/plain', 'text/html']) {
      const body = mail.bodies.get(type) ?? '';
      for (const told of ['10,42', 'VISA mit Endziffern 1111', clientOrderId, 'view-receipt/101/', 'Testbetrieb']) {
        expect(body).toContain(told);
      }
      expect(body.replaceAll(/\D/g, '')).not.toContain(CARD);
      expect(body).not.toContain('A pair of socks');
    }
    const page = await payer.open();
    expect(page.text).toContain('The receipt is also sent to your e-mail address.');
  });

  it('go to nobody whose card was declined, and once to who paid with the next one', async () => {
    const email = newAddress();
    const { payer, orderId } = await openForm(gateway, 'sale-form', { email });
    await payer.pay({ cvv2: '116' });
    await until('another card is asked for', async () => (await payer.state()) === 'card');
    await payer.pay({}, { 'accept-language': 'fr' });
    await untilState(orderId, 'sent');
    expect(mailsTo(email).map(({ headers }) => readable(headers.get('subject')))).toEqual([
      'Votre reçu de Demo merchant',
    ]);
    const left = await paid({ cvv2: '116' });
    await until('the card was declined', async () => (await left.payer.state()) === 'card');
    await left.payer.pay({ leave: 'true' });
    gateway.clock.advance(5 * 60_000);
    await untilState(left.orderId, 'dropped');
    expect(mailsTo(left.email)).toEqual([]);
  });

  it('wait for a server that does not take them now, and are not sent again when they may have been', async () => {
    answers.push(451);
    const { email, orderId } = await paid();
    await until('the server was asked', () => mailsTo(email).length === 1);
    await until('it is to be sent again', async () => (await stateOf(orderId)) === 'waiting');
    gateway.clock.advance(60_000);
    await untilState(orderId, 'sent');
    expect(mailsTo(email)).toHaveLength(2);
    answers.push('hang-up');
    const other = await paid();
    await untilState(other.orderId, 'unknown');
    gateway.clock.advance(60 * 60_000);
    // Whoever comes behind it is sent a receipt, so what was due before was looked at.
    await untilState((await paid()).orderId, 'sent');
    expect(mailsTo(other.email)).toHaveLength(1);
    expect(await stateOf(other.orderId)).toBe('unknown');
  });

  describe('after a node died', () => {
    const abandoned = async (state: string) => {
      const { email, orderId } = await paid();
      await untilState(orderId, 'sent');
      const owner = randomUUID();
      const due = `due_at = now() - interval '1 hour', lease_owner = '${owner}'`;
      await gateway.administer(`update receipt_mails set state = '${state}', ${due} where order_id = ${orderId}`);
      return { email, orderId };
    };

    it('are sent by another when the message had not gone out', async () => {
      const { email, orderId } = await abandoned('waiting');
      await untilState(orderId, 'sent');
      expect(mailsTo(email)).toHaveLength(2);
    });

    it('are not sent when it may have', async () => {
      const { email, orderId } = await abandoned('sending');
      await untilState(orderId, 'unknown');
      expect(mailsTo(email)).toHaveLength(1);
    });
  });

  it('are for forms: a sale with a card of the merchant’s own page has none', async () => {
    const email = newAddress();
    const sale = await gateway.demo.saleUntilFinal({ email });
    expect(await stateOf(String(sale['paynet-order-id']))).toBeUndefined();
    expect(mailsTo(email)).toEqual([]);
  });
});

describeGateway('without a mail server', {}, (gateway) => {
  it('no receipt is planned, and none is promised', async () => {
    const { payer } = await openForm(gateway, 'sale-form');
    await payer.pay();
    await until('it is paid', async () => (await payer.state()) === 'approved');
    expect((await payer.open()).text).not.toContain('e-mail address');
    expect(await gateway.query('select 1 from receipt_mails')).toEqual([]);
  });
});
