// The command line: every command, in one tree. `main.ts` runs it.

import { Command } from 'commander';
import { PACKAGE_VERSION } from '../storage/connection/package-root.ts';
import { asksVerbs } from './administration-command.ts';

import { addArchive } from './archives/archive-commands.ts';
import { addAudit } from './commands/audit.ts';
import { addBalance } from './commands/balance.ts';
import { addBank } from './commands/bank.ts';
import { addBinsCommands } from './commands/bins.ts';
import { addBlockCommands } from './commands/block.ts';
import { addCallback } from './commands/callback.ts';
import { addDatabase } from './commands/database.ts';
import { addEndpointCommands } from './commands/endpoint.ts';
import { addEvidence } from './commands/evidence.ts';
import { addExport } from './commands/export.ts';
import { addImport } from './commands/import.ts';
import { addKeyCommands } from './commands/key.ts';
import { addMerchantCommands } from './commands/merchant.ts';
import { addNetworkCommands } from './commands/network.ts';
import { addNetworks } from './commands/networks.ts';
import { addOrder } from './commands/order.ts';
import { addOverview } from './commands/overview.ts';
import { addReconcile } from './commands/reconcile.ts';
import { addScan } from './commands/scan.ts';
import { addStart } from './commands/start.ts';
import { addTerminalCommands } from './commands/terminal.ts';
import { addVault } from './commands/vault.ts';
import { addVerify } from './commands/verify.ts';
import { addCompletion } from './completion/completion.ts';
import { addExamples } from './examples.ts';
import { helpText } from './help-text.ts';
import { addOperations, isOperation } from './operations/operation-commands.ts';
import { withRemoteGateway } from './remote-gateway.ts';
import { addCheckSignature } from './signatures/check-signature.ts';
import { addSign } from './signatures/sign.ts';
import { addNoun } from './verb-command.ts';
import { addClockCommands } from './watching/clock.ts';
import { addListen } from './watching/listen.ts';
import { addLogs } from './watching/logs.ts';
import { addTrigger } from './watching/trigger.ts';

type Adds = (program: Command) => unknown;

const noun =
  (name: Parameters<typeof addNoun>[1]): Adds =>
  (program) =>
    addNoun(program, name);

/** The commands that are no operations of the interface, by what stands behind `tender`, in the order of the help. */
const COMMANDS: Readonly<Record<string, Adds>> = {
  start: addStart,
  merchant: addMerchantCommands,
  endpoint: addEndpointCommands,
  group: noun('group'),
  key: addKeyCommands,
  terminal: addTerminalCommands,
  connector: noun('connector'),
  vault: addVault,
  record: noun('record'),
  network: addNetworkCommands,
  payout: noun('payout'),
  deed: noun('deed'),
  balance: addBalance,
  recurring: noun('recurring'),
  limit: noun('limit'),
  block: addBlockCommands,
  card: noun('card'),
  bins: addBinsCommands,
  callback: addCallback,
  order: addOrder,
  overview: addOverview,
  request: noun('request'),
  database: addDatabase,
  export: addExport,
  import: addImport,
  archive: addArchive,
  clock: addClockCommands,
  logs: addLogs,
  listen: addListen,
  trigger: addTrigger,
  bank: addBank,
  networks: addNetworks,
  stuck: noun('stuck'),
  person: noun('person'),
  token: noun('token'),
  audit: addAudit,
  verify: addVerify,
  reconcile: addReconcile,
  scan: addScan,
  evidence: addEvidence,
  sign: addSign,
  'check-signature': addCheckSignature,
};

/** All commands. */
export function wholeProgram(): Command {
  const program = emptyProgram();
  for (const add of Object.values(COMMANDS)) add(program);
  addOperations(program);
  addCompletion(program);
  addHelp(program);
  return completed(program);
}

/** What is needed for a call whose first word this is: to make all commands takes longer than most of them take. */
export function programFor(first: string | undefined): Command {
  const add = first !== undefined && Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined;
  if (!add || first === undefined || isOperation(first)) return wholeProgram();
  const program = emptyProgram();
  add(program);
  return completed(program);
}

function emptyProgram(): Command {
  return (
    new Command('tender')
      .description('A self-hosted card payment gateway.')
      .version(PACKAGE_VERSION)
      // Options behind the name of a command are its own.
      .enablePositionalOptions()
      .exitOverride()
      .configureHelp(helpText)
      .configureOutput({
        outputError: (text, write) =>
          write(
            `${text
              .trim()
              .replace(/^error:/, 'tender:')
              .replaceAll('\n', ' ')}\n`,
          ),
      })
  );
}

/** Commander's own answers an unknown name with the help of everything. */
function addHelp(program: Command): void {
  program
    .helpCommand(false)
    .command('help [command]')
    .summary('say what a command does')
    .description('Says what a command does, and how it is written.')
    .action((name?: string) => {
      const command = name === undefined ? program : program.commands.find((one) => one.name() === name);
      if (command) command.help();
      program.error(`error: unknown command '${name}'`);
    });
}

function completed(program: Command): Command {
  addExamples(program);
  return withRemoteGateway(program, asksVerbs);
}
