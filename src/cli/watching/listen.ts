// `tender listen`: takes the callbacks of a sandbox, tells them to a shop that the gateway need not reach, and tells
// the gateway what the shop answered. When it ends, callbacks go to the addresses of their orders again.

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AnswerTo } from '../../administration/administration.ts';
import { listenToCallbacks } from '../../administration/sandbox/listening.ts';
import { administrationCommand, type CommonValues, given, withExample } from '../administration-command.ts';
import { Complaint } from '../complaint.ts';
import { idsOf } from '../option-values.ts';
import { say } from '../terminal.ts';
import { PersistentAsker, paused } from './persistent.ts';

const LOOK_EVERY_MS = 250;
/** As long as a shop has that the gateway calls itself. */
const SHOP_MS = 9_000;
const SHOWN_ANSWER = 80;

type ListenValues = CommonValues & {
  readonly forwardTo: string;
  readonly merchant?: string;
  readonly endpoint?: readonly number[];
  readonly printJson?: boolean;
};

type HandedOver = NonNullable<AnswerTo<'takeHandedCallbacks'>['callbacks']>[number];

type ShopAnswer = {
  readonly handedId: string;
  readonly status?: number;
  readonly answer?: string | undefined;
  readonly fault?: string;
};

export function addListen(program: Command): void {
  const command = administrationCommand(program, 'listen', 'forward callbacks of a sandbox to a shop, and show them')
    .description(
      'Takes the callbacks of a sandbox, forwards them to a shop, and tells the gateway what the shop answered. The gateway need not reach the shop.',
    )
    .requiredOption(
      '--forward-to <url>',
      'address of the shop; one without a path keeps the path of each callback',
      shopAddressOf,
    )
    .option('--merchant <login>', 'only callbacks of this merchant')
    .option('--endpoint <ids>', 'only callbacks of these endpoints', idsOf)
    // As it was called at first.
    .addOption(new Option('--print-json', 'the same as --json').hideHelp())
    .action((values: ListenValues) => listen(values));
  withExample(command, 'tender listen --forward-to http://localhost:3000/callback --merchant demo');
}

/** Its query would come before that of a callback, which is signed as it is. */
function shopAddressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  if (isPlain && url.username === '' && url.password === '') return text;
  throw new InvalidArgumentError('An address such as http://localhost:3000/callback is needed, without a query.');
}

async function listen({ forwardTo, merchant, endpoint, printJson, ...values }: ListenValues): Promise<void> {
  const target = new URL(forwardTo);
  // Else anybody who uses a gateway elsewhere could choose the path that is called on this machine.
  if (values.remote !== undefined && merchant === undefined && target.pathname === '/') {
    throw new Complaint('with --at, name a merchant (--merchant), or a path in --forward-to such as /callback', {
      exit: 'usage',
    });
  }
  const asker = new PersistentAsker(values);
  const isJson = printJson === true || values.json === true;
  const show = isJson ? jsonLine : textLine;
  const answers: Omit<ShopAnswer, 'answer'>[] = [];
  let listenerId: string | undefined;
  let endBy: number | undefined;
  const end = () => {
    endBy ??= performance.now() + SHOP_MS;
  };
  process.once('SIGINT', end).once('SIGTERM', end);
  const underWay = new Set<Promise<void>>();
  const forward = async (callback: HandedOver) => {
    const began = performance.now();
    const { answer, ...told } = await tellShop(target, callback);
    // The shop's page stays on this machine: whoever made the order may have chosen what was asked for.
    answers.push(told);
    say(show(callback, { ...told, answer }, Math.round(performance.now() - began)));
  };
  /** The gateway forgets who does not ask, so it is asked on while shops that were told are still to answer. */
  const goesOn = () =>
    endBy === undefined || (listenerId !== undefined && underWay.size > 0 && performance.now() < endBy);
  while (goesOn()) {
    if (listenerId === undefined) {
      const begun = await asker.ask(({ ask }) =>
        ask(listenToCallbacks.name, given({ login: merchant, endpointIds: endpoint })),
      );
      listenerId = begun?.listenerId;
      if (listenerId !== undefined && !isJson) say(`Callbacks are forwarded to ${target.href}. Ctrl-C ends it.`);
      continue;
    }
    const told = answers.splice(0);
    const heard = await asker.ask(({ ask }) => ask('takeHandedCallbacks', { listenerId, answers: told }));
    // The gateway was restarted, or has heard nothing for too long: whatever was handed over is told again.
    if (heard?.callbacks === null) listenerId = undefined;
    for (const callback of heard?.callbacks ?? []) {
      const forwarded = forward(callback).finally(() => underWay.delete(forwarded));
      underWay.add(forwarded);
    }
    if (heard?.callbacks?.length === 0 && answers.length === 0) await paused(LOOK_EVERY_MS);
  }
  if (listenerId !== undefined) {
    await asker.ask(({ ask }) => ask('takeHandedCallbacks', { listenerId, answers, ends: true }));
  }
}

/** The query and the headers stay as they are, so that the shop can check what signs them. */
async function tellShop(target: URL, { handedId, url, headers }: HandedOver): Promise<ShopAnswer> {
  const named = new URL(url);
  const path = target.pathname === '/' ? named.pathname : target.pathname;
  try {
    const response = await fetch(`${target.origin}${path}${named.search}`, {
      headers: headers as Record<string, string>,
      redirect: 'manual',
      signal: AbortSignal.timeout(SHOP_MS),
    });
    return { handedId, status: response.status, answer: (await response.text()).slice(0, 4_096) };
  } catch (error) {
    const { name, cause } = error as Error;
    const code = (cause as NodeJS.ErrnoException | undefined)?.code;
    return {
      handedId,
      fault:
        name === 'TimeoutError'
          ? 'the shop did not answer in time'
          : `the shop was not reached${code === undefined ? '' : `: ${code}`}`,
    };
  }
}

function textLine({ callbackId, url }: HandedOver, { status, answer = '', fault }: ShopAnswer, ms: number): string {
  const told = new URL(url).searchParams;
  const time = new Date().toISOString().slice(11, 19);
  const order = `order ${told.get('orderid') ?? '?'} (${told.get('client_orderid') ?? '?'})`;
  const said =
    status === undefined ? (fault ?? '') : `${status} ${answer.replaceAll(/\s+/g, ' ').slice(0, SHOWN_ANSWER)}`;
  return `${time}  ${callbackId}  ${told.get('type') ?? ''} ${told.get('status') ?? ''}  ${order}  -> ${said.trim()}  ${ms} ms`;
}

function jsonLine({ callbackId, url, headers }: HandedOver, { status, answer, fault }: ShopAnswer, ms: number): string {
  const told = Object.fromEntries(new URL(url).searchParams);
  return JSON.stringify({ callbackId, told, headers, status, answer, fault, milliseconds: ms });
}
