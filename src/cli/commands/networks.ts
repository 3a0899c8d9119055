// `tender networks`: the simulated card networks of 3-D Secure as a process of their own, with their faults.

import { type Command, Option } from 'commander';
import { textTable } from '../../administration/verb/table.ts';
import { systemClock } from '../../domain/clock.ts';
import { createLog } from '../../telemetry/log.ts';
import { NETWORK_FAULTS, type NetworkFaults, startNetworks, TEST_CARDS } from '../../threeds/index.ts';
import { withOthersBelow } from '../administration-command.ts';
import { Complaint, complain } from '../complaint.ts';
import { millisecondsOf, portNumber, wholeNumberOf } from '../option-values.ts';
import { webAddressOf } from '../setting-options.ts';
import { stopOnSignals } from '../signals.ts';
import { say } from '../terminal.ts';

const DEFAULT_PORT = 8082;
const DEFAULT_URL = `http://127.0.0.1:${DEFAULT_PORT}`;

type FaultValues = Partial<NetworkFaults>;
type NetworksValues = FaultValues & {
  readonly host: string;
  readonly port: number;
  readonly publicUrl?: string;
  readonly firstCreqMs?: number;
  readonly challengeMs?: number;
};

export function addNetworks(program: Command): void {
  const networks = program
    .command('networks')
    .summary('run the simulated card networks of 3-D Secure as a process of their own')
    .description(
      'Runs a simulated directory server and the pages of its issuers as a process of their own; a gateway reaches them with --networks-url. They authenticate nobody real and obey whoever reaches them: leave them on this machine.',
    )
    // `faults` takes the same options as the networks themselves.
    .enablePositionalOptions()
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 takes a free one', portNumber, DEFAULT_PORT)
    .option('--public-url <url>', "where payers' browsers reach the issuers' pages, behind a proxy", webAddressOf)
    .option('--first-creq-ms <ms>', 'how long an issuer waits for the browser (default: 600000)', millisecondsOf)
    .option('--challenge-ms <ms>', "how long an issuer waits for the payer's answer (default: 600000)", millisecondsOf);
  withOthersBelow(withFaultOptions(networks)).action(run);

  withFaultOptions(
    networks
      .command('faults')
      .summary('see or set how running networks misbehave')
      .description(
        'Shows how running networks misbehave. With any fault given, exactly the given ones come into force.',
      )
      .option('--url <url>', 'where the networks are', webAddressOf, DEFAULT_URL)
      .option('--none', 'end all faults'),
  ).action(faults);

  networks
    .command('transcript')
    .summary('print the messages that have passed, one JSON object per line')
    .description('Prints the messages that have passed running networks, oldest first, one JSON object per line.')
    .option('--url <url>', 'where the networks are', webAddressOf, DEFAULT_URL)
    .action(transcript);

  networks
    .command('cards')
    .summary('print the test cards and what each does')
    .description('Prints the test cards and what each does; every other card is authenticated without a question.')
    .action(() =>
      say(
        textTable(
          ['number', 'outcome'],
          Object.values(TEST_CARDS).map(({ number, means }) => [number, means]),
        ),
      ),
    );
}

function withFaultOptions(command: Command): Command {
  const fault = (flags: string, description: string, words: readonly string[]) =>
    new Option(flags, description).choices(words).helpGroup('Faults:');
  return command
    .addOption(fault('--directory <fault>', 'card ranges and enrolment', NETWORK_FAULTS.directory))
    .addOption(fault('--authentication <fault>', 'the ARes', NETWORK_FAULTS.authentication))
    .addOption(fault('--results <fault>', 'the RReq', NETWORK_FAULTS.results))
    .addOption(fault('--challenge <fault>', 'the CRes', NETWORK_FAULTS.challenge))
    .addOption(fault('--pares <fault>', 'the PARes of 1.0.2', NETWORK_FAULTS.pares))
    .addOption(
      new Option('--delay-ms <ms>', 'how late slow answers and late results are (default: 3000)')
        .argParser(wholeNumberOf)
        .helpGroup('Faults:'),
    );
}

async function run({ host, port, publicUrl, firstCreqMs, challengeMs, ...values }: NetworksValues): Promise<void> {
  const log = createLog((line) => process.stderr.write(line));
  try {
    const limits = { ...(firstCreqMs && { firstCreqMs }), ...(challengeMs && { challengeMs }) };
    const networks = await startNetworks({
      host,
      port,
      publicUrl,
      limits,
      clock: systemClock,
      faults: faultsIn(values),
    });
    stopOnSignals('Stopping.', () => networks.close(), log);
    say(`The simulated card networks are at ${networks.url}.`);
  } catch (error) {
    complain(error, log, { host, port, flagsOnly: true });
    process.exit(1);
  }
}

function faultsIn({ directory, authentication, results, challenge, pares, delayMs }: FaultValues): FaultValues {
  const all = { directory, authentication, results, challenge, pares, delayMs };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

async function faults({ url, none, ...values }: FaultValues & { readonly url: string; readonly none?: true }) {
  const wanted = faultsIn(values);
  const sets = none === true || Object.keys(wanted).length > 0;
  if (none && Object.keys(wanted).length > 0) throw new Complaint('--none ends all faults; leave it out to set some');
  const response = await ask(url, '/v1/faults', sets ? { method: 'PUT', body: JSON.stringify(wanted) } : {});
  const reply = (await readJson(response, url)) as NetworkFaults & { readonly error?: string };
  if (!response.ok) throw new Complaint(`the networks refuse: ${reply.error}`);
  say(JSON.stringify(reply, null, 2));
}

async function transcript({ url }: { readonly url: string }): Promise<void> {
  const response = await ask(url, '/v1/transcript', {});
  for (const entry of (await readJson(response, url)) as readonly unknown[]) say(JSON.stringify(entry));
}

function ask(url: string, path: string, call: RequestInit): Promise<Response> {
  return fetch(new URL(path, url), call).catch(() => noNetworksAt(url));
}

/** Anybody may be there: what is no JSON is not from the networks. */
function readJson(response: Response, url: string): Promise<unknown> {
  return response.json().catch(() => noNetworksAt(url));
}

function noNetworksAt(url: string): never {
  throw new Complaint(`there are no networks at ${url}; name their address with --url`);
}
