// What a balancer and a collector of figures hear from a gateway in trouble: soon, and with the reason.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { shared } from '../contracts/databases.ts';
import { newPlace } from '../crash/place.ts';
import { describeGateway, type TestGateway, until } from '../harness.ts';
import { Belongings, startProcess } from './tender-process.ts';

type Told = { readonly status: number; readonly body: { status: string; reason?: string } };

async function readiness(origin: string): Promise<Told> {
  const response = await fetch(`${origin}/readyz`);
  return { status: response.status, body: (await response.json()) as Told['body'] };
}

const untilReady = (origin: string) =>
  until('the gateway is ready', async () => (await readiness(origin)).status === 200);

async function untilNotReady(origin: string, reason: string): Promise<void> {
  let told: Told | undefined;
  await until(`the gateway is not ready: ${reason}`, async () => {
    told = await readiness(origin);
    return told.body.reason === reason;
  });
  expect(told).toEqual({ status: 503, body: { status: 'not ready', reason } });
}

async function figure(origin: string, name: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

describeGateway('a gateway in trouble', {}, (gateway) => {
  it('is not ready while its configuration cannot be read, and the figures tell since when', async () => {
    expect(await readiness(gateway.origin)).toEqual({ status: 200, body: { status: 'ready' } });
    // On a busy machine a look may come late.
    const age = () => figure(gateway.origin, 'tender_configuration_age_seconds');
    await until('the configuration is fresh', async () => (await age()) < 5);
    await gateway.changeSchema('alter table configuration_version rename to away');
    await untilNotReady(gateway.origin, 'the configuration cannot be read');
    expect(await age()).toBeGreaterThan(5);
    // What it knows it goes on with.
    expect((await gateway.demo.sale()).status).toBe(200);
    await gateway.changeSchema('alter table away rename to configuration_version');
    await untilReady(gateway.origin);
  });

  it("is not ready while the vault's keys cannot be read", async () => {
    await gateway.changeSchema('alter table data_keys rename to away');
    await untilNotReady(gateway.origin, "the vault's keys cannot be read");
    await gateway.changeSchema('alter table away rename to data_keys');
    await untilReady(gateway.origin);
  });

  it.skipIf(gateway.noTriggers)(
    'is not ready while nothing can be written, and ready again without anybody writing',
    async () => {
      await fillDisk(gateway);
      expect((await gateway.demo.sale()).status).toBe(500);
      await untilNotReady(gateway.origin, 'the database takes no writes');
      await gateway.database.script('drop function disk_is_full cascade');
      await untilReady(gateway.origin);
      expect((await gateway.demo.sale()).status).toBe(200);
      await gateway.untilAllFinal();
    },
  );
});

/** Questions are answered, writes of orders and nodes fail as on a full disk. */
async function fillDisk({ database }: TestGateway): Promise<void> {
  await database.script(`
    create function disk_is_full() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
    create trigger full_for_orders before insert on orders execute function disk_is_full();
    create trigger full_for_nodes before insert or update on nodes execute function disk_is_full();`);
}

describe.skipIf(!shared.available)('a gateway whose database hangs', () => {
  const own = new Belongings();
  afterAll(() => own.drop());

  it('says so within seconds, and tells the figures that need no database within one', async () => {
    const place = await newPlace(own, shared);
    const line = await openLine(own, new URL(place.args.at(-1) as string));
    const { origin } = own.keep(await startProcess([...place.args.slice(0, -1), line.url]));
    expect((await readiness(origin)).status).toBe(200);
    line.hang();

    const told = await answeredWithin(3_000, () => readiness(origin));
    expect(told.body.reason).toBe('the database does not answer');

    const text = await answeredWithin(2_000, async () => (await fetch(`${origin}/metrics`)).text());
    expect(text).toMatch(/^tender_orders_in_flight 0$/m);
    expect(text).not.toMatch(/^tender_(callbacks_due|stuck_transactions) /m);
    expect(text).not.toMatch(/ nan$/im);

    line.goOn();
    await untilReady(origin);
    expect(await figure(origin, 'tender_callbacks_due')).toBe(0);
  });
});

/** The first answer that came in time: a busy machine keeps some of them from it, but not all. */
async function answeredWithin<Answer>(limitMs: number, ask: () => Promise<Answer>): Promise<Answer> {
  let answer: Answer | undefined;
  await until(`there is an answer within ${limitMs} ms`, async () => {
    const began = performance.now();
    answer = await ask();
    return performance.now() - began < limitMs;
  });
  return answer as Answer;
}

/** A line to the database on which nothing moves for as long as it hangs. */
async function openLine(own: Belongings, to: URL): Promise<{ url: string; hang(): void; goOn(): void }> {
  const sockets = new Set<Socket>();
  let hangs = false;
  const server = createServer((near) => {
    const far = connect(Number(to.port), to.hostname);
    for (const [from, onto] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => onto.write(bytes));
      from.on('error', () => onto.destroy());
      from.on('close', () => onto.destroy());
      if (hangs) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  own.also(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const url = new URL(to);
  url.port = String((server.address() as AddressInfo).port);
  const hang = () => {
    hangs = true;
    for (const socket of sockets) socket.pause();
  };
  const goOn = () => {
    hangs = false;
    for (const socket of sockets) socket.resume();
  };
  return { url: url.href, hang, goOn };
}
