// `tender endpoint`: where a merchant's orders arrive.

import { type Command, Option } from 'commander';
import type { EndpointView } from '../administration/endpoints.ts';
import { properties, table } from '../administration/verb/table.ts';
import {
  administrationCommand,
  answerWith,
  type CommonValues,
  given,
  mustChange,
  nounCommand,
} from './administration-command.ts';
import { addLook } from './look.ts';
import { idOf, listOf, onOffOf } from './option-values.ts';

type EndpointValues = CommonValues & {
  readonly name?: string;
  readonly currency?: string;
  readonly minimum?: string;
  readonly maximum?: string;
  readonly creditLimit?: string;
  readonly require?: string[];
  readonly descriptor?: string;
  readonly '3ds'?: string;
  readonly '3dsUnavailable'?: string;
  readonly acquirerBin?: string;
  readonly acquirerMerchantId?: string;
  readonly category?: string;
  readonly country?: string;
  readonly legacyReplies?: boolean;
  readonly strictSigning?: boolean;
  readonly signedForms?: boolean;
  readonly frameAncestors?: string[];
  readonly sandbox?: boolean;
  readonly enable?: boolean;
  readonly disable?: boolean;
};

export function addEndpoint(program: Command): void {
  const noun = nounCommand(program, 'endpoint', 'add, list and change endpoints');

  withEndpointOptions(administrationCommand(noun, 'add <login>', 'add an endpoint to a merchant'))
    .requiredOption('--currency <code>', 'the one currency it takes, such as USD; it stays')
    .option('--id <number>', 'its id in the path; the next free one when left out', idOf)
    .action((login: string, values: EndpointValues & { readonly id?: number }) =>
      answerWith(
        values,
        ({ ask }) => ask('addEndpoint', { login, ...given({ endpointId: values.id }), ...changesIn(values) }),
        (endpoint) => `Added endpoint ${endpoint.endpointId} to merchant ${login}.\n${whole(endpoint)}`,
      ),
    );

  withEndpointOptions(administrationCommand(noun, 'set', 'change an endpoint'))
    .argument('<id>', 'its id', idOf)
    .action((endpointId: number, values: EndpointValues) =>
      answerWith(values, ({ ask }) => ask('setEndpoint', { endpointId, ...mustChange(changesIn(values)) }), whole),
    );

  administrationCommand(noun, 'list [login]', 'list the endpoints of a merchant, or all').action(
    (login: string | undefined, values: CommonValues) =>
      answerWith(values, ({ ask }) => ask('listEndpoints', given({ login })), listed),
  );

  administrationCommand(noun, 'show', 'show everything about an endpoint')
    .argument('<id>', 'its id', idOf)
    .action((endpointId: number, values: CommonValues) =>
      answerWith(values, ({ ask }) => ask('showEndpoint', { endpointId }), whole),
    );

  addLook(noun);
}

function withEndpointOptions(command: Command): Command {
  const onOff = (flags: string, description: string) => new Option(`${flags} <on|off>`, description).argParser(onOffOf);
  return command
    .option('--name <text>', 'name for people')
    .option('--minimum <amount>', 'smallest amount, in major units of its currency (10.00), or none')
    .option('--maximum <amount>', 'largest amount, in major units of its currency (250.00), or none')
    .option('--credit-limit <amount>', 'how far payouts may take the balance below zero (500.00), or none')
    .option('--require <fields>', 'optional fields it demands, such as first_name,phone; "" demands none', listOf)
    .option('--descriptor <text>', 'what card statements show')
    .addOption(new Option('--3ds <gate>', '3-D Secure').choices(['none', 'optional', 'required']))
    .addOption(
      new Option(
        '--3ds-unavailable <what>',
        'payers whose issuer cannot say who they are; by-gate refuses them where 3-D Secure is required',
      ).choices(['by-gate', 'pass', 'refuse']),
    )
    .option('--acquirer-bin <digits>', "the acquirer's number, as 3-D Secure messages name it")
    .option('--acquirer-merchant-id <text>', "the acquirer's name for this endpoint there; its own id at first")
    .option('--category <digits>', "the merchant's category (ISO 18245) there, such as 5999")
    .option('--country <code>', "the merchant's country there, such as US")
    .addOption(onOff('--legacy-replies', 'answer as older services of this family do'))
    .addOption(onOff('--strict-signing', 'demand header X-Signature too'))
    .addOption(onOff('--signed-forms', 'take no unsigned payment-form or payout-form'))
    .option('--frame-ancestors <origins>', 'origins that may show its hosted pages in a frame; "" lets none', listOf)
    .addOption(onOff('--sandbox', 'explain wrong signatures, and call back loopback addresses'))
    .option('--enable', 'take new orders')
    .addOption(new Option('--disable', 'take no new orders').conflicts('enable'));
}

function changesIn(values: EndpointValues) {
  return given({
    name: values.name,
    currency: values.currency,
    minimum: values.minimum,
    maximum: values.maximum,
    creditLimit: values.creditLimit,
    requiredFields: values.require,
    descriptor: values.descriptor,
    threeDSecure: values['3ds'],
    unauthenticated: values['3dsUnavailable'],
    acquirerBin: values.acquirerBin,
    acquirerMerchantId: values.acquirerMerchantId,
    category: values.category,
    country: values.country,
    legacyReplies: values.legacyReplies,
    strictSigning: values.strictSigning,
    signedForms: values.signedForms,
    frameAncestors: values.frameAncestors,
    sandbox: values.sandbox,
    enabled: values.disable ? false : values.enable,
  });
}

const onOff = (value: boolean) => (value ? 'on' : 'off');
const stateOf = ({ enabled }: EndpointView) => (enabled ? 'enabled' : 'disabled');

function listed(endpoints: readonly EndpointView[]): string {
  if (endpoints.length === 0) return 'There are no endpoints; add one with: tender endpoint add <login> --currency USD';
  return table(
    ['ID', 'MERCHANT', 'CURRENCY', 'NAME', 'STATE', '3DS', 'MINIMUM', 'MAXIMUM'],
    endpoints.map((endpoint) => [
      String(endpoint.endpointId),
      endpoint.login,
      endpoint.currency,
      endpoint.name,
      stateOf(endpoint),
      endpoint.threeDSecure,
      endpoint.minimum ?? '-',
      endpoint.maximum ?? '-',
    ]),
  );
}

function whole(endpoint: EndpointView): string {
  return properties([
    ['Endpoint', String(endpoint.endpointId)],
    ['Merchant', endpoint.login],
    ['Name', endpoint.name],
    ['Currency', endpoint.currency],
    ['State', stateOf(endpoint)],
    ['Minimum', endpoint.minimum ?? 'none'],
    ['Maximum', endpoint.maximum ?? 'none'],
    ['Credit limit', endpoint.creditLimit],
    ['Required fields', endpoint.requiredFields.join(', ') || 'none'],
    ['Descriptor', endpoint.descriptor],
    ['3-D Secure', endpoint.threeDSecure],
    ['3-D Secure unavailable', endpoint.unauthenticated],
    ['Acquirer', `${endpoint.acquiring.bin}, its merchant ${endpoint.acquiring.merchantId}`],
    ['Category', endpoint.acquiring.category],
    ['Country', endpoint.acquiring.country],
    ['Legacy replies', onOff(endpoint.legacyReplies)],
    ['Strict signing', onOff(endpoint.strictSigning)],
    ['Signed forms', onOff(endpoint.signedForms)],
    ['Frame ancestors', endpoint.frameAncestors.join(', ') || 'none'],
    ['Sandbox', onOff(endpoint.sandbox)],
  ]);
}
