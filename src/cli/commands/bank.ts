// `tender bank`: the simulated bank as a process of its own, with its books and its faults (decisions, D-62).

import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import {
  type BookEntry,
  bankFaults,
  type CutOff,
  clearBank,
  type Faults,
  NO_BANK_FAULTS,
  readSettlement,
} from '../../acquirers/index.ts';
import type { AnswerTo } from '../../administration/administration.ts';
import { counted } from '../../administration/verb/table.ts';
import { writeAmount } from '../../domain/money/money.ts';
import {
  administrationCommand,
  askingVerbs,
  type CommonValues,
  describedCommand,
  given,
  withExample,
  withOthersBelow,
} from '../administration-command.ts';
import { type Administrator, asRunningAdministrator } from '../administrator.ts';
import { Complaint, nearPath } from '../complaint.ts';
import {
  bankAddressOf,
  dateOf,
  delayOf,
  faultsToSet,
  listOf,
  portNumber,
  scriptOf,
  shareOf,
  wholeNumberOf,
} from '../option-values.ts';
import { withProgress } from '../progress-line.ts';
import { settingOption, withDataSettings } from '../setting-options.ts';
import { runUntilStopped } from '../signals.ts';
import { say } from '../terminal.ts';
import { booksAt, booksOf, noBankAt } from './bank-books.ts';

const DEFAULT_PORT = 8081;

const ITS_ADDRESS = [
  '--url <url>',
  'a bank of its own; without it, the bank of the running gateway',
  bankAddressOf,
] as const;

type FaultValues = Partial<Faults>;
type BankValues = FaultValues & {
  readonly host: string;
  readonly port: number;
  readonly data: string;
  readonly bankCutOff?: CutOff;
};

export function addBank(program: Command): void {
  const bank = describedCommand(
    program,
    'bank',
    'run the simulated bank as a process of its own',
    'Runs the simulated bank as a process of its own; a gateway reaches it with --bank-url. It holds no real money and obeys whoever reaches it: leave it on this machine.',
  )
    // `faults` takes the same options as the bank itself.
    .enablePositionalOptions()
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 takes a free one', portNumber, DEFAULT_PORT)
    .addOption(settingOption('data'))
    .addOption(settingOption('bankCutOff'));
  withOthersBelow(withFaultOptions(bank)).action(run);

  const books = withDataSettings(
    describedCommand(
      bank,
      'books',
      "print a running bank's books",
      "Prints a running bank's books, as CSV or as JSON lines.",
    ),
  )
    .option(...ITS_ADDRESS)
    .option('--json', 'one JSON object per line')
    .action(printBooks);
  withExample(books, 'tender bank books > books.csv');

  const faulty = withDataSettings(
    describedCommand(
      bank,
      'faults',
      'see or set how a running bank misbehaves',
      'Shows how a running bank misbehaves. With any fault given, exactly the given ones come into force.',
    ),
  ).option(...ITS_ADDRESS);
  withFaultOptions(askingVerbs(faulty).option('--none', 'end all faults')).action(faults);
  withExample(faulty, 'tender bank faults --messages instruct --script 3*ok,lose-answer');

  const clear = administrationCommand(bank, 'clear', "end the bank's day now: what moved money can no longer be voided")
    .option(...ITS_ADDRESS)
    .action(clearDay);
  withExample(clear, 'tender bank clear');

  const settlement = withDataSettings(
    describedCommand(
      bank,
      'settlement',
      'print what was cleared for a day, as CSV',
      'Prints what was cleared for a business day, as CSV in minor units.',
    ),
  )
    .argument('<date>', 'the business day, such as 2027-01-31', dateOf)
    .option(...ITS_ADDRESS)
    .action(printSettlement);
  askingVerbs(settlement);
  withExample(settlement, 'tender bank settlement 2027-01-31 > settlement.csv');
}

type OfficeValues = CommonValues & { readonly url?: string };

async function clearDay({ url, json, ...values }: OfficeValues): Promise<void> {
  const cleared = await (url === undefined
    ? asOfficer(values, ({ ask }) => ask('clearBank'))
    : clearBank(url).catch((cause) => noBankAt(url, cause)));
  const { date, at, lines } = cleared;
  const next = `tender bank settlement ${date}${url === undefined ? '' : ` --url ${url}`}`;
  say(
    json
      ? JSON.stringify({ date, at: written(at), lines }, null, 2)
      : `Cleared ${counted(lines, 'payment')} for ${date}: ${next}`,
  );
}

async function printSettlement(date: string, { url, ...values }: OfficeValues): Promise<void> {
  if (url === undefined) return asOfficer(values, (administrator) => printParts(administrator, date));
  try {
    for await (const line of readSettlement(url, date)) say(line);
  } catch (error) {
    noBankAt(url, error);
  }
}

async function printParts({ ask }: Administrator, date: string): Promise<void> {
  for (let from: number | null = 0; from !== null; ) {
    const { lines, next }: AnswerTo<'readSettlement'> = await ask('readSettlement', { date, from });
    for (const line of lines) say(line);
    from = next;
  }
}

function asOfficer<T>(values: CommonValues, work: (administrator: Administrator) => Promise<T>): Promise<T> {
  return asRunningAdministrator(values, 'or name a bank of its own with --url', work);
}

function withFaultOptions(command: Command): Command {
  const fault = (flags: string, description: string, read: (text: string) => unknown) =>
    new Option(flags, description).argParser(read).helpGroup('Faults:');
  return command
    .addOption(fault('--seed <number>', 'repeats the same faults for the same messages', wholeNumberOf))
    .addOption(fault('--messages <list>', 'which are affected: instruct, inquire, reverse', (text) => listOf(text)))
    .addOption(fault('--request-delay-ms <ms>', 'requests arrive late, such as 200 or 100-500', delayOf))
    .addOption(fault('--answer-delay-ms <ms>', 'answers arrive late', delayOf))
    .addOption(fault('--refuse-rate <share>', 'connections refused, from 0 to 1', shareOf))
    .addOption(fault('--lose-request-rate <share>', 'requests that never arrive', shareOf))
    .addOption(fault('--lose-answer-rate <share>', 'booked requests whose answer never arrives', shareOf))
    .addOption(fault('--garble-rate <share>', 'booked requests whose answer nobody can read', shareOf))
    .addOption(fault('--double-rate <share>', 'requests that arrive twice and are answered twice', shareOf))
    .addOption(fault('--skip <number>', 'so many messages pass before rates and delays begin', wholeNumberOf))
    .addOption(fault('--limit <number>', 'so many messages are affected then; 0 for all', wholeNumberOf))
    .addOption(fault('--script <steps>', 'the first messages one by one, such as 3*ok,lose-answer,refuse', scriptOf));
}

async function run({ host, port, data, bankCutOff, ...values }: BankValues): Promise<void> {
  const dataFolder = resolve(data);
  await runUntilStopped({ host, port }, async () => {
    const { bankFolder, startBankAlone } = await import('../../compose/index.ts');
    const options = { host, port, dataFolder, bankCutOff, faults: faultsIn(values) };
    const bank = await withProgress((watch) => startBankAlone({ ...options, watch }));
    say(`The simulated bank is at ${bank.url}, its books are in ${nearPath(bankFolder(dataFolder))}.`);
    return bank;
  });
}

function faultsIn(values: FaultValues): FaultValues {
  return given(Object.fromEntries(Object.keys(NO_BANK_FAULTS).map((name) => [name, Reflect.get(values, name)])));
}

type FaultsValues = FaultValues & CommonValues & { readonly url?: string; readonly none?: true };

async function faults({ url, none, ...values }: FaultsValues): Promise<void> {
  const wanted = faultsToSet(faultsIn(values), none);
  const inForce = await (url === undefined
    ? asOfficer(values, ({ ask }) => (wanted ? ask('setBankFaults', { faults: wanted }) : ask('showBankFaults')))
    : bankFaults(url, wanted && JSON.stringify(wanted)).then(JSON.parse, (cause) => refusedBy(url, cause)));
  say(JSON.stringify(inForce, null, 2));
}

function refusedBy(url: string, cause: unknown): never {
  if (cause instanceof Error && cause.message.includes('HTTP 400'))
    throw new Complaint('the bank refuses these faults');
  noBankAt(url, cause);
}

const COLUMNS = 'reference,kind,outcome,code,amount,currency,card,rrn,approval code,arrived';

async function printBooks({ url, json, ...values }: OfficeValues): Promise<void> {
  if (url !== undefined) return printEntries(booksAt(url), json);
  return asOfficer(values, (administrator) => printEntries(booksOf(administrator), json));
}

/** The names of the columns too come only once there is something to read. */
async function printEntries(entries: AsyncGenerator<BookEntry>, json = false): Promise<void> {
  let next = await entries.next();
  if (!json) say(COLUMNS);
  for (; !next.done; next = await entries.next()) say(json ? jsonLine(next.value) : csvLine(next.value));
}

function jsonLine({ amount, arrivedAt, reversedAt, clearedAt, ...entry }: BookEntry): string {
  return JSON.stringify({
    ...entry,
    minor: amount.minor.toString(),
    currency: amount.currency,
    arrivedAt: written(arrivedAt),
    reversedAt: reversedAt && written(reversedAt),
    clearedAt: clearedAt && written(clearedAt),
  });
}

const written = (moment: number) => new Date(moment).toISOString();

/** No value has a comma or a quotation mark in it. */
function csvLine({ reference, kind, outcome, code, amount, card, rrn, approvalCode, arrivedAt }: BookEntry): string {
  const figure = writeAmount(amount, 'major');
  const digits = card && `${card.firstSix}*${card.lastFour}`;
  const arrived = written(arrivedAt);
  return [reference, kind, outcome, code, figure, amount.currency, digits, rrn, approvalCode, arrived].join(',');
}
