// The command line: every command in one tree. Whatever goes wrong is one line on standard error and exit code 1.

import { Command, CommanderError } from 'commander';
import { PACKAGE_VERSION } from '../storage/connection/package-root.ts';
import { createLog } from '../telemetry/log.ts';
import { asksVerbs } from './administration-command.ts';
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
import { Complaint, complain, reasonOf } from './complaint.ts';
import { withRemoteGateway } from './remote-gateway.ts';
import { addNoun } from './verb-command.ts';
import { addClockCommands } from './watching/clock.ts';
import { addListen } from './watching/listen.ts';
import { addLogs } from './watching/logs.ts';
import { addTrigger } from './watching/trigger.ts';

const program = new Command('tender')
  .description('A self-hosted card payment gateway.')
  .version(PACKAGE_VERSION)
  // Options behind the name of a command are its own.
  .enablePositionalOptions()
  .exitOverride()
  .configureOutput({
    outputError: (text, write) =>
      write(
        `${text
          .trim()
          .replace(/^error:/, 'tender:')
          .replaceAll('\n', ' ')}\n`,
      ),
  });

/** Commands whose exit code 1 is an answer: what keeps them from answering is 2. */
const ANSWERS_BY_CODE = new Set(['verify', 'reconcile', 'scan', 'evidence']);

/** The first word that is a command: options of the program may stand before it. */
function failedCode(): number {
  const named = process.argv.slice(2).find((word) => program.commands.some((one) => one.name() === word));
  return named !== undefined && ANSWERS_BY_CODE.has(named) ? 2 : 1;
}

const log = createLog((line) => process.stderr.write(line));

// A reader that has seen enough, such as `head`, closes the pipe. Nobody may take a full disk for the whole answer.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  complain(new Complaint(`the answer could not be written: ${reasonOf(error)}`), log);
  process.exit(failedCode());
});

addStart(program);
addMerchantCommands(program);
addEndpointCommands(program);
addNoun(program, 'group');
addKeyCommands(program);
addTerminalCommands(program);
addNoun(program, 'connector');
addVault(program);
addNoun(program, 'record');
addNetworkCommands(program);
addNoun(program, 'payout');
addNoun(program, 'deed');
addBalance(program);
addNoun(program, 'recurring');
addNoun(program, 'limit');
addBlockCommands(program);
addNoun(program, 'card');
addBinsCommands(program);
addCallback(program);
addOrder(program);
addOverview(program);
addNoun(program, 'request');
addDatabase(program);
addExport(program);
addImport(program);
addClockCommands(program);
addLogs(program);
addListen(program);
addTrigger(program);
addBank(program);
addNetworks(program);
addNoun(program, 'stuck');
addNoun(program, 'person');
addNoun(program, 'token');
addAudit(program);
addVerify(program);
addReconcile(program);
addScan(program);
addEvidence(program);

// Commander's own answers an unknown name with the help of everything.
program
  .helpCommand(false)
  .command('help [command]')
  .description('display help for command')
  .action((name?: string) => {
    const command = name === undefined ? program : program.commands.find((one) => one.name() === name);
    if (command) command.help();
    program.error(`error: unknown command '${name}'`);
  });

withRemoteGateway(program, asksVerbs);

try {
  await program.parseAsync(process.argv);
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : failedCode();
  else {
    complain(error, log);
    process.exitCode = failedCode();
  }
}
