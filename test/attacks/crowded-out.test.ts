// The attack: one crowds out all others. A merchant whose bank does not answer takes every place for orders in flight;
// somebody opens connections and says nothing on them.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { describeGateway, until } from '../harness.ts';

const ROOM = { ordersInFlight: 12, merchantShare: 25 };
const SHARE = 3;

describeGateway('a merchant who takes every place', { settings: ROOM }, (gateway) => {
  afterEach(async () => {
    gateway.bank.faults.set({});
    await gateway.untilAllFinal();
  });

  it('gets its share of the orders in flight, and the others find room', async () => {
    const [greedy, other] = [await gateway.newMerchant(), await gateway.newMerchant()];
    gateway.bank.faults.set({ requestDelayMs: 60_000 });
    const ask = ({ client, id }: typeof greedy) => client.sale({}, { endpoint: id });
    for (let order = 0; order < SHARE; order++) expect((await ask(greedy)).status).toBe(200);
    const refused = await ask(greedy);
    expect(refused.status).toBe(500);
    expect(refused.body).toMatchObject({ 'error-code': '503' });
    for (let order = 0; order < SHARE; order++) expect((await ask(other)).status).toBe(200);
    expect((await ask(greedy)).status).toBe(500);
    expect((await ask(other)).status).toBe(500);
  });
});

const CAP = { maxConnections: 60, maxConnectionsPerAddress: 40, trustedProxies: ['127.9.9.9'] };

describeGateway('connections that say nothing', { settings: CAP }, (gateway) => {
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  async function silent(localAddress: string): Promise<Socket> {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(gateway.origin).port), localAddress });
    socket.on('error', () => {}).resume();
    sockets.push(socket);
    await once(socket, 'connect').catch(() => {});
    return socket;
  }

  const open = () => sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length;

  const figure = async (name: string) => {
    const text = await (await fetch(`${gateway.adminUrl}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };

  it('of one address range do not take more than its part', async () => {
    for (let one = 0; one < 100; one++) await silent(`127.0.5.${1 + (one % 200)}`);
    await until('those beyond it are closed', () => open() <= CAP.maxConnectionsPerAddress);
    expect((await gateway.demo.sale()).status).toBe(200);
    expect(await figure('tender_connections_closed{bound="address"}'.replace(/[{}]/g, '\\$&'))).toBeGreaterThanOrEqual(
      60,
    );
  });

  it('of many address ranges give way to whoever asks something', async () => {
    for (let one = 0; one < 400; one++)
      await silent(`127.1.${one}.1`.replace(/\.(\d+)\.1$/, (_, n) => `.${Number(n) % 250}.1`));
    for (let sale = 0; sale < 20; sale++) {
      await silent(`127.2.${sale}.1`);
      const response = await fetch(`${gateway.origin}/healthz`, { headers: { connection: 'close' } });
      expect(response.status).toBe(200);
      expect((await gateway.demo.sale()).status).toBe(200);
    }
    await until('those beyond the cap are closed', () => open() <= CAP.maxConnections);
    expect(await figure('tender_connections_closed{bound="all"}'.replace(/[{}]/g, '\\$&'))).toBeGreaterThan(300);
  });

  it('are closed before they have waited for long', async () => {
    const socket = await silent('127.3.0.1');
    await once(socket, 'close');
  });
});
