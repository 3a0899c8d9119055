// `tender networks`: the simulated card networks of 3-D Secure as a process of their own, with their faults.

import { type Command, Option } from 'commander';
import { textTable } from '../../administration/verb/table.ts';
import { systemClock } from '../../domain/clock.ts';
import { NETWORK_FAULTS, type NetworkFaults, startNetworks, TEST_CARDS } from '../../threeds/index.ts';
import { describedCommand, given, withOthersBelow } from '../administration-command.ts';
import { Complaint } from '../complaint.ts';
import { faultsToSet, millisecondsOf, portNumber, wholeNumberOf } from '../option-values.ts';
import { webAddressOf } from '../setting-options.ts';
import { runUntilStopped } from '../signals.ts';
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
  const networks = describedCommand(
    program,
    'networks',
    'run the simulated card networks of 3-D Secure as a process of their own',
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

  const itsAddress = ['--url <url>', 'where the networks are', webAddressOf, DEFAULT_URL] as const;
  const faulty = describedCommand(
    networks,
    'faults',
    'see or set how running networks misbehave',
    'Shows how running networks misbehave. With any fault given, exactly the given ones come into force.',
  ).option(...itsAddress);
  withFaultOptions(faulty.option('--none', 'end all faults')).action(faults);

  describedCommand(
    networks,
    'transcript',
    'print the messages that have passed, one JSON object per line',
    'Prints the messages that have passed running networks, oldest first, one JSON object per line.',
  )
    .option(...itsAddress)
    .action(transcript);

  describedCommand(
    networks,
    'cards',
    'print the test cards and what each does',
    'Prints the test cards and what each does; every other card is authenticated without a question.',
  ).action(() => {
    const rows = Object.values(TEST_CARDS).map(({ number, means }) => [number, means]);
    say(textTable(['number', 'outcome'], rows));
  });
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
  const limits = { ...(firstCreqMs && { firstCreqMs }), ...(challengeMs && { challengeMs }) };
  const reached = publicUrl === undefined ? undefined : () => publicUrl;
  const options = { host, port, publicUrl: reached, limits, clock: systemClock, faults: faultsIn(values) };
  await runUntilStopped({ host, port }, async () => {
    const networks = await startNetworks(options);
    say(`The simulated card networks are at ${networks.url}.`);
    return networks;
  });
}

function faultsIn({ directory, authentication, results, challenge, pares, delayMs }: FaultValues): FaultValues {
  return given({ directory, authentication, results, challenge, pares, delayMs });
}

async function faults({ url, none, ...values }: FaultValues & { readonly url: string; readonly none?: true }) {
  const wanted = faultsToSet(faultsIn(values), none);
  const response = await ask(url, '/v1/faults', wanted ? { method: 'PUT', body: JSON.stringify(wanted) } : {});
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
  throw new Complaint(`there are no networks at ${url}; name their address with --url`, { exit: 'unreachable' });
}
