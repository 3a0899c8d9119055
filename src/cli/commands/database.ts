// `tender database`: the schema of the database, who may change it, and where its tables lie.

import type { Command } from 'commander';
import { Option } from 'commander';
import { counted } from '../../administration/verb/table.ts';
import { NotForSeeding } from '../../processing/node/seeding.ts';
import { roleStatements } from '../../storage/connection/roles.ts';
import { describedCommand, withExample } from '../administration-command.ts';
import { addClusterCommands } from '../cluster/cluster-commands.ts';
import { Complaint } from '../complaint.ts';
import { roleNameOf, seedCountOf } from '../option-values.ts';
import { showsMigrations, withProgress } from '../progress-line.ts';
import {
  databaseUrlOf,
  type SettingValues,
  settingOption,
  settingsFrom,
  withDataSettings,
} from '../setting-options.ts';
import { say } from '../terminal.ts';

type SeedValues = SettingValues & { readonly orders: number };

type RoleValues = {
  readonly databaseUrl?: string;
  readonly run: string;
  readonly migrate: string;
  readonly print?: true;
};

export function addDatabase(program: Command): void {
  const noun = describedCommand(
    program,
    'database',
    'bring the schema up to date, make roles for its users, and spread it over servers',
  );
  const migrates = describedCommand(
    noun,
    'migrate',
    'bring the schema up to date and sign records',
    'Brings the schema up to date, as a role that may change it; a gateway that starts afterwards needs no such right.',
  );
  withDataSettings(migrates).action(async (values: SettingValues) => migrateOnly(values));
  withExample(migrates, 'tender database migrate --database-url postgresql://tender_migrate@db/tender');
  addSeed(noun);
  const roles = describedCommand(
    noun,
    'roles',
    'make a role that runs the gateway and one for migrations, on PostgreSQL',
    'Makes both roles, or gives them anew what they need: run it as a superuser after every upgrade. The role that runs the gateway can neither change the schema nor change or remove an entry of the audit chain, an event of an order or an entry of the ledger. Passwords are yours to set.',
  )
    .addOption(settingOption('databaseUrl').helpGroup('Which gateway:'))
    .addOption(new Option('--run <role>', 'the role that runs the gateway').default('tender_run').argParser(roleNameOf))
    .addOption(
      new Option('--migrate <role>', 'the role that owns the schema').default('tender_migrate').argParser(roleNameOf),
    )
    .option('--print', 'print the SQL instead of running it')
    .action(makeRoles);
  withExample(roles, 'tender database roles --database-url postgresql://postgres@db/tender');
  addClusterCommands(noun);
}

function addSeed(noun: Command): void {
  const seeds = describedCommand(
    noun,
    'seed',
    'fill the database of a sandbox with made-up orders',
    'Writes made-up orders of made-up merchants, spread over the last 180 days, to try searches and lists with. Only for a database without merchants of your own. The simulated bank has never heard of them, so reconcile lists them as missing there.',
  ).addOption(new Option('--orders <number>', 'how many').default(10_000).argParser(seedCountOf));
  withDataSettings(seeds).action(async ({ orders, ...values }: SeedValues) => seed(orders, values));
  withExample(seeds, 'tender database seed --orders 1000000 --database-url postgresql://tender@db/trial');
}

async function seed(count: number, values: SettingValues): Promise<void> {
  if (values.mode === 'production') throw new Complaint('made-up orders are for a sandbox, not for production');
  const { seedStoreWith } = await import('../../compose/index.ts');
  const start = performance.now();
  await withProgress((progress) => {
    progress.show({ doing: 'Opening the database' });
    return seedStoreWith(settingsFrom(values), count, (done) =>
      progress.show({ doing: 'Making', done, total: count, unit: 'orders' }),
    );
  }).catch((error) => {
    throw error instanceof NotForSeeding ? new Complaint(error.message) : error;
  });
  const seconds = (performance.now() - start) / 1000;
  say(`${counted(count, 'order')} in ${seconds.toFixed(1)} s, ${Math.round(count / seconds)} a second.`);
}

async function migrateOnly(values: SettingValues): Promise<void> {
  const { migrateStore } = await import('../../compose/index.ts');
  const { waiting, forbidden = 'somebody used the table' } = await withProgress((progress) => {
    progress.show({ doing: 'Opening the database' });
    return migrateStore(settingsFrom(values), showsMigrations(progress));
  });
  say('The schema is up to date.');
  if (waiting.length > 0) say(`Not made (${forbidden}): ${waiting.join(', ')}. Run it again.`);
}

async function makeRoles({ run, migrate, print, ...values }: RoleValues): Promise<void> {
  const url = databaseUrlOf(values);
  if (url === undefined) {
    throw new Complaint(
      'roles are those of a PostgreSQL server, named with --database-url or DATABASE_URL; an embedded database has one user, who owns its folder',
    );
  }
  if (run === migrate) throw new Complaint('the role that runs the gateway must not be the one for migrations');
  const { openDatabase } = await import('../../storage/connection/open-database.ts');
  const database = await openDatabase({ url, poolSize: 1 });
  try {
    const statements = (await roleStatements(database, { run, migrate })).map((one) => `${one};`).join('\n');
    if (print) return say(statements);
    const { changeSchema } = await import('../../storage/cluster/distribute.ts');
    await database.transaction((session) => changeSchema(session, statements));
    say(
      `${migrate} owns the schema: "tender database migrate" as this role brings it up to date.\n${run} runs the gateway, and can change neither the schema nor the audit chain.`,
    );
  } finally {
    await database.close();
  }
}
