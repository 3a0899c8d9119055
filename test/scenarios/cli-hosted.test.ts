// What operators do about hosted pages, by command and on a real process: how they look, who may show them, and payouts
// that wait for somebody's word.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, DEMO, kindsOfThisFile, newOrderId, until } from '../harness.ts';
import { hiddenFields, Payer } from './form-payer.ts';
import { Belongings, type Ended, type RunningProcess, startProcess, tender } from './tender-process.ts';

const PICTURE = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

for (const kind of kindsOfThisFile()) {
  describe.skipIf(!kind.available)(`commands about hosted pages, on ${kind.name}`, () => {
    const own = new Belongings();
    let where: string[];
    let folder: string;
    let gateway: RunningProcess;
    let shop: Client;

    const run = (...args: string[]): Promise<Ended> => tender([...args, ...where]);
    const ask = async (...args: string[]) => {
      const { code, stdout, stderr } = await run(...args, '--json');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return JSON.parse(stdout);
    };
    const openPayout = async () => {
      const fields = { client_orderid: newOrderId(), amount: '4.00', currency: 'USD' };
      const { body } = await shop.post('/api/v2/payout-form/101', fields);
      const payer = new Payer(new URL(gateway.baseUrl).origin, body['redirect-url']);
      return { payer, clientOrderId: fields.client_orderid, orderId: body['paynet-order-id'] as string };
    };

    beforeAll(async () => {
      const server = kind.kind === 'postgres' ? await kind.open() : undefined;
      if (server) own.also(() => server.drop());
      folder = await own.folder();
      const data = join(folder, 'data');
      where = ['--data', data, ...(server?.place.url === undefined ? [] : ['--database-url', server.place.url])];
      gateway = own.keep(await startProcess(where));
      shop = new Client(() => gateway.baseUrl, DEMO);
      own.also(async () => shop.close());
    });
    afterAll(() => own.drop());

    it('an endpoint’s pages get a name, a logo, a colour and texts, at once', async () => {
      const logo = join(folder, 'logo.png');
      await writeFile(logo, PICTURE);
      const looks = ['--name', 'Ann’s Socks', '--logo', logo, '--accent', '#0B6B3A', '--intro', 'Hello'];
      const set = await ask('endpoint', 'look', '101', ...looks);
      expect(set).toMatchObject({
        endpointId: 101,
        name: 'Ann’s Socks',
        accent: '#0b6b3a',
        logo: { type: 'image/png' },
      });
      await ask('endpoint', 'look', '101', '--intro', 'Hallo', '--language', 'de');
      const { payer } = await openPayout();
      const { text } = await payer.open('?lang=de');
      for (const shown of ['Ann’s Socks', 'Hallo', 'logo-101-', 'look-101-']) expect(text).toContain(shown);
      expect((await payer.open('?lang=fr')).text).toContain('Hello');
      expect((await run('endpoint', 'look', '101')).stdout).toMatch(/Accent +#0b6b3a[\s\S]*Intro \(de\) +Hallo/);
      await ask('endpoint', 'look', '101', '--logo', 'none', '--name', 'none', '--accent', 'none');
      expect((await payer.open()).text).not.toMatch(/logo-101-|look-101-|Ann’s Socks/);
    });

    it('an endpoint says how many cards may be tried', async () => {
      const unset = /Form tries +1 with legacy replies, else 3/;
      expect((await run('endpoint', 'show', '101')).stdout).toMatch(unset);
      expect(await ask('endpoint', 'set', '101', '--form-tries', '2')).toMatchObject({ formTries: 2 });
      for (const wrong of ['0', '6', 'some']) {
        expect((await run('endpoint', 'set', '101', '--form-tries', wrong)).stderr).toMatch(/whole number/);
      }
      expect(await ask('endpoint', 'set', '101', '--form-tries', 'none')).toMatchObject({ formTries: null });
      expect((await run('endpoint', 'show', '101')).stdout).toMatch(unset);
    });

    it('what cannot be read or shown is refused in one line', async () => {
      const pale = await run('endpoint', 'look', '101', '--accent', '#ffd400');
      expect(pale).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^tender: accent: #ffd400 has a contrast of 1\.31/),
      });
      const drawing = join(folder, 'logo.svg');
      await writeFile(drawing, '<svg xmlns="http://www.w3.org/2000/svg"/>');
      expect((await run('endpoint', 'look', '101', '--logo', drawing)).stderr).toMatch(
        /PNG, JPEG or WebP picture is needed\n$/,
      );
      expect((await run('endpoint', 'look', '101', '--logo', join(folder, 'none.png'))).stderr).toMatch(
        /none\.png does not exist\n$/,
      );
    });

    it('frames and signatures of forms are settings of the endpoint', async () => {
      const set = await ask(
        'endpoint',
        'set',
        '101',
        '--frame-ancestors',
        'https://shop.example/',
        '--signed-forms',
        'on',
      );
      expect(set).toMatchObject({ frameAncestors: ['https://shop.example'], signedForms: true });
      const refused = await shop.post('/api/v2/payout-form/101', { client_orderid: 'a', amount: '1', currency: 'USD' });
      expect(refused.body['error-code']).toBe('25');
      await ask('endpoint', 'set', '101', '--frame-ancestors', '', '--signed-forms', 'off');
    });

    it('a payout nobody signed is approved by an operator, once', async () => {
      await shop.saleUntilFinal({ amount: '1000' });
      const { payer, orderId, clientOrderId } = await openPayout();
      expect((await run('payout', 'approve', 'demo', orderId, '--reason', 'asked')).stderr).toMatch(
        /only a payout that waits/,
      );
      await payer.send(hiddenFields((await payer.open()).text));
      await until('the card is kept', async () => (await payer.state()) === 'kept');
      const { stdout } = await run('payout', 'approve', 'demo', orderId, '--reason', 'asked');
      expect(stdout).toBe(`Payout ${orderId} of merchant demo is approved and on its way.\n`);
      expect(await shop.untilFinal(clientOrderId, { orderId })).toMatchObject({ status: 'approved' });
      expect((await run('payout', 'approve', 'demo', orderId, '--reason', 'asked')).code).toBe(1);
      expect((await run('payout', 'approve', 'demo', '999999999', '--reason', 'asked')).stderr).toMatch(
        /^tender: Order not found\n$/,
      );
      const { entries } = await ask('audit', 'list');
      expect(entries.map(({ action }: { action: string }) => action)).toEqual(
        expect.arrayContaining(['approvePayout', 'setLook']),
      );
    });
  });
}
