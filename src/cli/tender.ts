// The command line: every command in one tree. `main.ts` runs it.

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
import { addOperations } from './operations/operation-commands.ts';
import { withRemoteGateway } from './remote-gateway.ts';
import { addCheckSignature } from './signatures/check-signature.ts';
import { addSign } from './signatures/sign.ts';
import { addNoun } from './verb-command.ts';
import { addClockCommands } from './watching/clock.ts';
import { addListen } from './watching/listen.ts';
import { addLogs } from './watching/logs.ts';
import { addTrigger } from './watching/trigger.ts';

export const program = new Command('tender')
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
addArchive(program);
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
addSign(program);
addCheckSignature(program);
addOperations(program);
addCompletion(program);

// Commander's own answers an unknown name with the help of everything.
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

addExamples(program);
withRemoteGateway(program, asksVerbs);
