// The end of a chaos run: every promise is called in by STATUS, merchants must have been told, nothing may be left to
// do, and then the gateway's books are held against the bank's.

import { join } from 'node:path';
import { openDatabase } from '../../src/storage/connection/open-database.ts';
import { booksOf, type Query } from '../crash/place.ts';
import { type Client, discrepancies, type Fields, pause, type Reply, sha1 } from '../harness.ts';
import { tender } from '../scenarios/tender-process.ts';
import type { TestShop, Told } from '../test-shop.ts';
import { type Acknowledgement, isOfOrder, isSurelySigned, type OrderAcknowledgement } from './acknowledgements.ts';
import type { Installation } from './installation.ts';
import { missingTraces } from './traces.ts';

/** An outcome the bank could not tell three times is asked for after a minute, then after five. */
const END_LIMIT_MS = 8 * 60_000;
const LOOK_EVERY_MS = 1_000;
const ASK_TRIES = 20;
/** What a node has still to do; a hold that waits for its capture is not among it. */
const OPEN = "'sending', 'challenged', 'asking', 'undoing'";
const PARALLEL = 8;
/** After so long without any progress an operator has waiting callbacks sent at once. */
const REPLAY_AFTER_MS = 10_000;
const MOST_REPLAYS = 50;

export type Reckoning = { readonly differences: string[]; readonly endured: Record<string, number> };

export type ReckoningOptions = Installation & {
  readonly promised: readonly Acknowledgement[];
  readonly say: (line: string) => void;
};

export async function calledIn(options: ReckoningOptions): Promise<Reckoning> {
  const { nodes, promised, banks, shops } = options;
  const differences = [...(await untilEnded(options)), ...(await unknownCards(options))];
  differences.push(...(await untilTold(options)));
  for (const node of nodes) await node.stop();
  await untilNothingIsOpen(options);
  for (const node of nodes) await node.stop();
  differences.push(...(await checkedByCommand(options)));
  const books = (await Promise.all(banks.map(({ url }) => booksOf(url)))).flat();
  return looking(options, async (query) => {
    differences.push(...(await discrepancies(query, books)), ...(await missingTraces(query, books, promised)));
    return {
      differences,
      endured: { ...(await endured(query)), callbacks: shops.reduce((sum, { told }) => sum + told.length, 0) },
    };
  });
}

type Clients = Installation['clients'];

/** Those of the merchant who was promised something. */
const clientsOf = (clients: Clients, { merchant }: Acknowledgement): readonly Client[] =>
  clients.find(([one]) => one?.login === merchant) ?? [];

/** Asks for every promise until all have ended; what cannot be found or never ends is a difference. */
async function untilEnded({ clients, promised, say }: ReckoningOptions): Promise<string[]> {
  const differences: string[] = [];
  let open = promised.filter(isOfOrder);
  for (const start = Date.now(); open.length > 0 && Date.now() - start < END_LIMIT_MS; ) {
    const still: OrderAcknowledgement[] = [];
    await inParallel(open, async (one) => {
      const { status, text, body } = await statusOf(clients, one);
      if (status !== 200)
        differences.push(`${one.operation} ${one.clientOrderId} was acknowledged; STATUS says ${text}`);
      else if (body['paynet-order-id'] !== one.orderId) {
        differences.push(`${one.clientOrderId} was acknowledged as ${one.orderId} and is ${body['paynet-order-id']}`);
      } else if (body.status === 'processing' || body.status === 'unknown') still.push(one);
    });
    if (still.length > 0 && still.length < open.length) say(`${still.length} still under way`);
    open = still;
    if (open.length > 0) await pause(LOOK_EVERY_MS);
  }
  return [...differences, ...open.map(({ clientOrderId, operation }) => `${operation} ${clientOrderId} never ended`)];
}

/** Every card that is kept must be known to the interface; a recurring payment is no card of its own there. */
async function unknownCards({ clients, promised }: ReckoningOptions): Promise<string[]> {
  const differences: string[] = [];
  const kept = promised.flatMap((one) => (isOfOrder(one) || one.operation === 'CREATE_RP_V4' ? [] : [one]));
  const each = new Map(kept.map((one) => [one.reference, one]));
  await inParallel([...each.values()], async (one) => {
    const { reference: cardrefid } = one;
    const { status, text } = await asked(clientsOf(clients, one), (client) => {
      const control = sha1(`${client.login}${cardrefid}${client.key}`);
      return client.post(`/api/v2/get-card-info/${client.home}`, { login: client.login, cardrefid, control });
    });
    if (status !== 200) differences.push(`card reference ${cardrefid} was acknowledged; CARDINFO says ${text}`);
  });
  return differences;
}

function statusOf(clients: Clients, acknowledgement: OrderAcknowledgement): Promise<Reply> {
  const { clientOrderId, orderId, serial, endpoint } = acknowledgement;
  const orderid = isSurelySigned(acknowledgement) ? undefined : orderId;
  const named: Fields = { client_orderid: clientOrderId, orderid, 'by-request-sn': serial };
  return asked(clientsOf(clients, acknowledgement), (client) =>
    client.status(named, { endpoint: endpoint ?? client.home }),
  );
}

/** At one node after the other, until one answers. */
async function asked(clients: readonly Client[], ask: (client: Client) => Promise<Reply>): Promise<Reply> {
  for (let tries = 0; ; tries++) {
    const reply = await ask(clients[tries % clients.length] as Client).catch(() => undefined);
    if (reply && reply.status < 500) return reply;
    if (tries === ASK_TRIES) return { status: 0, text: 'nothing', headers: {}, body: {} };
    await pause(LOOK_EVERY_MS);
  }
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const hand = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: PARALLEL }, hand));
}

/** At least once each, whatever happened on the way. */
async function untilTold({ shops, promised, say, ...installation }: ReckoningOptions): Promise<string[]> {
  let open = promised.filter(isOfOrder).filter(({ tells }) => tells !== undefined);
  let last = { count: -1, at: Date.now() };
  for (const start = Date.now(); Date.now() - start < END_LIMIT_MS; ) {
    const heard = shops.map(heardBy);
    open = open.filter((one) => !(one.tells && heard[one.tells.shop]?.has(callbackKey(one))));
    if (open.length === 0) break;
    if (open.length !== last.count) last = { count: open.length, at: Date.now() };
    else if (Date.now() - last.at > REPLAY_AFTER_MS) {
      say(`${open.length} callbacks still to come`);
      await replay(whereIs(installation));
      last = { count: -1, at: Date.now() };
    }
    await pause(LOOK_EVERY_MS);
  }
  return open.map(({ operation, clientOrderId }) => `nobody was told of ${operation} ${clientOrderId}`);
}

const FOLLOW_UPS: ReadonlySet<string> = new Set(['capture', 'cancel', 'void', 'reversal', 'chargeback']);

function heardBy({ told }: TestShop): Set<string> {
  const keys = ({ fields, headers }: Told) => {
    const id = String(headers['webhook-id']);
    const target = id.slice(id.lastIndexOf('-') + 1);
    const own = FOLLOW_UPS.has(String(fields.type)) ? [] : [`own ${fields.orderid} ${target}`];
    return [`serial ${fields['serial-number']}`, ...own, `form ${fields.orderid} ${fields.type} ${target}`];
  };
  return new Set(told.flatMap(keys));
}

/**
 * A follow-up's callback has the serial number of its request. What the order was made for may take several tries, at
 * several banks, and is told once.
 */
function callbackKey({ orderId, serial, formType, tells }: OrderAcknowledgement): string {
  if (serial !== undefined) return `serial ${serial}`;
  return formType === undefined ? `own ${orderId} ${tells?.target}` : `form ${orderId} ${formType} ${tells?.target}`;
}

async function replay(where: readonly string[]): Promise<void> {
  const { stdout } = await tender(['callback', 'list', '--due', '--json', ...where]);
  const due = JSON.parse(stdout || '[]') as { callbackId: string }[];
  for (const { callbackId } of due.slice(0, MOST_REPLAYS)) await tender(['callback', 'replay', callbackId, ...where]);
}

/** Orders nobody was told the number of have to end as well. */
async function untilNothingIsOpen(options: ReckoningOptions): Promise<void> {
  for (const start = Date.now(); Date.now() - start < END_LIMIT_MS; ) {
    const [row] = await looking(options, (query) =>
      query(`select count(*)::int as open from transactions where stage in (${OPEN})`),
    );
    if (row?.open === 0) return;
    await options.nodes[0]?.start();
    await pause(5 * LOOK_EVERY_MS);
    await options.nodes[0]?.stop();
  }
}

/** As an operator would look, with the gateway's own commands; what follows looks again without its code. */
async function checkedByCommand({ banks, ...installation }: ReckoningOptions): Promise<string[]> {
  const where = whereIs(installation);
  const looks = [await tender(['verify', ...where])];
  for (const { name, url } of banks) {
    looks.push(await tender(['reconcile', '--terminal', name, '--url', url, ...where]));
  }
  return looks
    .filter(({ code }) => code !== 0)
    .flatMap(({ stdout, stderr }) => `${stdout}${stderr}`.trim().split('\n'));
}

const whereIs = ({ dataFolder, servers }: Pick<Installation, 'dataFolder' | 'servers'>) => [
  ...['--data', dataFolder],
  ...(servers ? ['--database-url', servers.urls[0] as string] : []),
];

async function looking<T>({ dataFolder, servers }: Installation, look: (query: Query) => Promise<T>): Promise<T> {
  const place = servers ? { url: servers.urls[0] } : { dataFolder: join(dataFolder, 'database') };
  const database = await openDatabase(place);
  const query: Query = (text) => database.query({ name: `test-${text.length}-${text.slice(0, 40)}`, text });
  return look(query).finally(() => database.close());
}

/** How much of it hit something; a run that hit nothing would prove nothing. */
async function endured(query: Query): Promise<Record<string, number>> {
  const [row] = await query(`select
    (select count(*)::int from orders) as orders,
    (select count(*)::int from transactions) as transactions,
    (select count(*)::int from order_events where event->>'type' = 'transaction-moved' and event->>'finding' = 'no-answer') as unanswered,
    (select count(*)::int from order_events where event->>'type' = 'transaction-moved'
       and event->>'finding' in ('not-found', 'not-found-for-good')) as "never arrived",
    (select count(*)::int from order_events where event->>'type' = 'transaction-moved' and event->>'finding' = 'reversed') as undone,
    (select count(*)::int from transactions where stage = 'passed-on') as "passed on",
    (select count(*)::int from authentications where step = 'over' and facts->'outcome'->>'status' = 'Y') as authenticated,
    (select count(*)::int from authentications where step = 'over' and facts->'outcome'->>'status' <> 'Y') as "not authenticated",
    (select count(*)::int from authentications where facts->'outcome'->>'reason' = 'no result came from the network') as "issuer silent"`);
  return row as Record<string, number>;
}
