// Every operation of the interface as a command: `tender sale --amount 10.42` signs a SALE, sends it, and prints what
// was sent and answered. The commands follow from the list of operations.

import { type Command, Option } from 'commander';
import { exitCodes } from '../../domain/exit-codes.ts';
import { operations } from '../../operations/index.ts';
import type { Operation } from '../../operations/operation.ts';
import { describedCommand, withExample } from '../administration-command.ts';
import { Complaint } from '../complaint.ts';
import { pairsOf } from '../option-values.ts';
import { settingOption, webAddressOf } from '../setting-options.ts';
import { say } from '../terminal.ts';
import { type CallingValues, callingMerchant } from './calling-merchant.ts';
import { demoValues, hasDemoValue } from './demo-values.ts';
import { commandName, exampleOf, type FieldOption, fieldOptions, pathName } from './operation-words.ts';
import { maskedFields, shownCall, shownReply } from './shown-call.ts';
import { postCall, type SentFields, signCall } from './signed-call.ts';
import { readTypedSecrets } from './typed-secrets.ts';
import { waitForEnd } from './waiting.ts';

const GROUP = 'Operations of the interface:';
const WHO = 'Who calls, and where:';

type OperationValues = CallingValues & {
  readonly give?: SentFields;
  readonly wait?: boolean;
  readonly json?: boolean;
} & Readonly<Record<string, unknown>>;

/** Adds a command for each operation; a noun of the same name gets it for itself, with its verbs below it. */
export function addOperations(program: Command): void {
  const list: readonly Operation[] = operations;
  const names = new Set(list.map(commandName));
  for (const operation of list) {
    const name = commandName(operation);
    const noun = program.commands.find((one) => one.name() === name);
    const command = noun ? withVerbsBelow(noun, operation) : describedCommand(program, name, summaryOf(operation));
    const other = pathName(operation);
    const isTaken = names.has(other) || program.commands.some((one) => [one.name(), ...one.aliases()].includes(other));
    if (!isTaken) command.alias(other);
    withCall(command.helpGroup(GROUP), operation);
  }
}

/** Whether an operation is called so, by its own name or by the end of its path. */
export function isOperation(name: string): boolean {
  return operations.some((operation) => commandName(operation) === name || pathName(operation) === name);
}

function summaryOf({ summary }: Operation): string {
  return `${summary.charAt(0).toLowerCase()}${summary.slice(1)}`.replace(/\.$/, '');
}

/** `tender payout` alone shows its verbs, as every noun does; with an option it is the operation. */
function withVerbsBelow(noun: Command, { name, summary }: Operation): Command {
  return noun
    .enablePositionalOptions()
    .allowExcessArguments()
    .description(`${noun.description()} With options of its own it is the operation ${name}: ${summary}`)
    .hook('preAction', (_, called) => {
      if (called !== noun) return;
      const [word] = called.args;
      if (word !== undefined) noun.error(`error: unknown command '${word}'`);
      const isGiven = (option: string) => option !== 'data' && called.getOptionValueSource(option) !== 'default';
      if (!Object.keys(called.opts()).some(isGiven)) noun.help();
    });
}

function withCall(command: Command, operation: Operation): void {
  const options = fieldOptions(operation);
  for (const one of options) command.addOption(optionOf(operation, one));
  command
    .addOption(
      new Option('-d, --give <name=value>', 'any other field by its own name; may be repeated').argParser(pairsOf),
    )
    .option('--wait', 'wait until the order has ended, and print how')
    .option('--json', 'print request and answer as JSON');
  const says = {
    '--base-url <url>': 'address of the gateway (default: of the gateway that runs on --data)',
    '--endpoint <id>': "the merchant's endpoint or group (default: 101, of the demo merchant)",
    '--login <login>': "the merchant's login (default: the demo merchant's)",
    '--key-file <path>': "file with the merchant's control key",
    '--private-key <path>': "file with the merchant's RSA key, in PEM",
  };
  for (const [flags, text] of Object.entries(says)) {
    const option = new Option(flags, text).helpGroup(WHO);
    command.addOption(flags.startsWith('--base-url') ? option.argParser(webAddressOf) : option);
  }
  command.addOption(settingOption('data').helpGroup(WHO));
  command.action((values: OperationValues) => call(operation, options, values));
  withExample(
    command,
    exampleOf(operation, (field) => hasDemoValue(operation, field)),
  );
}

function optionOf(operation: Operation, { field, flag, isShort }: FieldOption): Option {
  const isSecret = field.exposure !== 'plain';
  const need = field.required && !hasDemoValue(operation, field) ? ' (required)' : '';
  const secret = isSecret ? '; - reads it from standard input' : '';
  const says =
    field.wire === 'amount' ? 'The amount in major units, such as 10.42' : field.description.replace(/\.$/, '');
  const option = new Option(`--${flag} <value>`, `${says}${secret}${need}`);
  const hasShort = !isShort && fieldOptions(operation).some((one) => one.isShort && one.field === field);
  return hasShort ? option.hideHelp() : option;
}

async function call(operation: Operation, options: readonly FieldOption[], values: OperationValues): Promise<void> {
  const who = await callingMerchant(values);
  const typed = await readTypedSecrets(givenFields(options, values), operation, who.isTrial);
  const filled = who.isDemo ? demoValues(operation, new Set(Object.keys(typed)), who.endpoint) : {};
  const signed = signCall(operation, inOrder(operation, { ...filled, ...typed }), who);
  if (!values.json) say(shownCall(operation, signed, new Set(Object.keys(filled))));
  const heard = await postCall(signed);
  const isTaken = heard.status === 200 && !String(heard.reply.type ?? '').endsWith('error');
  if (!values.json) say(`\n${shownReply(heard)}`);
  if (!isTaken) process.exitCode = exitCodes.failed.code;
  const end = isTaken && values.wait ? await waitForEnd(heard.reply, who) : undefined;
  if (end) process.exitCode = exitCodes[end.exit].code;
  if (values.json) {
    const request = { url: signed.url, fields: maskedFields(operation, signed) };
    const told = end?.heard && { end: end.heard.reply };
    say(JSON.stringify({ request, status: heard.status, reply: heard.reply, ...told }, null, 2));
  } else if (end?.heard) say(`\n${shownReply(end.heard)}`);
  if (end?.fault) throw end.fault;
}

/** As the reference lists them, and then all others. */
function inOrder({ request }: Operation, fields: SentFields): SentFields {
  const listed = Object.values(request.fields).flatMap(({ wire }) => {
    const value = fields[wire];
    return value === undefined ? [] : [[wire, value] as const];
  });
  return { ...Object.fromEntries(listed), ...fields };
}

/** Fields by their own names, however they were given. */
function givenFields(options: readonly FieldOption[], { give = {}, ...values }: OperationValues): SentFields {
  const fields: Record<string, string> = {};
  for (const { field, flag } of options) {
    const value = values[attributeOf(flag)];
    if (typeof value !== 'string') continue;
    if (fields[field.wire] !== undefined) throw new Complaint(`${field.wire} is given twice`, { exit: 'usage' });
    fields[field.wire] = value;
  }
  return { ...fields, ...give };
}

function attributeOf(flag: string): string {
  return new Option(`--${flag} <value>`).attributeName();
}
