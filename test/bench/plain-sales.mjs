// A yardstick beside the gateway: how many sales a plain program could book on the same PostgreSQL, with the textbook's
// two transactions per sale (write the order down; book the answer) over a pool of `pg`, and no HTTP at all.
import pg from 'pg';

const CLIENTS = 16;

const TABLES = `
  create table plain_orders (id bigint primary key, client_order_id text not null unique, amount bigint not null,
    captured bigint not null, version integer not null, details jsonb not null, created_at timestamptz not null);
  create table plain_transactions (order_id bigint, seq integer, stage text not null, amount bigint not null,
    due_at timestamptz, approval_code text, changed_at timestamptz not null, primary key (order_id, seq));
  create index on plain_transactions (due_at) where due_at is not null;
  create table plain_events (order_id bigint, version integer, event jsonb not null, primary key (order_id, version));
  create table plain_ledger (order_id bigint, line integer, account text not null, amount bigint not null,
    primary key (order_id, line));`;

const statement = (name, text) => (values) => ({ name, text, values });
const BEGIN = statement('begin', 'begin')([]);
const COMMIT = statement('commit', 'commit')([]);
const insertOrder = statement('o', 'insert into plain_orders values ($1, $2, 1042, 0, 1, $3, now())');
const insertTransaction = statement(
  't',
  `insert into plain_transactions values ($1, 1, 'sending', 1042, now(), null, now())`,
);
const insertEvent = statement('e', 'insert into plain_events values ($1, $2, $3)');
const updateOrder = statement(
  'uo',
  'update plain_orders set captured = amount, version = 2 where id = $1 and version = 1',
);
const updateTransaction = statement(
  'ut',
  `update plain_transactions set stage = 'approved', due_at = null, approval_code = $2, changed_at = now()
   where order_id = $1 and seq = 1`,
);
const insertEntries = statement(
  'l',
  `insert into plain_ledger values ($1, 1, 'clearing', -1042), ($1, 2, 'merchant', 1042)`,
);

const DETAILS = JSON.stringify({ email: 'ann@example.com', city: 'Seattle', country: 'US', phone: '+12063582043' });
const STARTED = JSON.stringify({ type: 'order-started' });
const APPROVED = JSON.stringify({ type: 'approved', approvalCode: 'A1B2C3' });

let pool;
let lastId = 0;

process.on('disconnect', () => process.exit());
process.on('message', async ({ url, seconds }) => {
  try {
    pool ??= await openPool(url);
    process.send({ result: await bookFor(seconds) });
  } catch (error) {
    process.send({ error: error.message });
  }
});

async function openPool(connectionString) {
  const opened = new pg.Pool({ connectionString, max: CLIENTS });
  await opened.query(TABLES);
  return opened;
}

async function bookFor(seconds) {
  const endsAt = performance.now() + seconds * 1000;
  let booked = 0;
  const work = async () => {
    const client = await pool.connect();
    for (let id = ++lastId; performance.now() < endsAt; id = ++lastId) {
      await book(client, id);
      booked += 1;
    }
    client.release();
  };
  await Promise.all(Array.from({ length: CLIENTS }, work));
  return { rate: booked / seconds };
}

async function book(client, id) {
  await client.query(BEGIN);
  await client.query(insertOrder([id, `plain-${id}`, DETAILS]));
  await client.query(insertTransaction([id]));
  await client.query(insertEvent([id, 1, STARTED]));
  await client.query(COMMIT);
  await client.query(BEGIN);
  await client.query(updateOrder([id]));
  await client.query(updateTransaction([id, 'A1B2C3']));
  await client.query(insertEvent([id, 2, APPROVED]));
  await client.query(insertEntries([id]));
  await client.query(COMMIT);
}
