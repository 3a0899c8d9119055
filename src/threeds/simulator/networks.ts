// The simulated card networks over HTTP: a directory server and the access control servers of its issuers, with their
// own state and their own faults. Everybody who reaches them may command them: they authenticate nobody real and must
// never face the internet.
//
//   POST /emv-3ds          PReq, AReq, Erro (JSON)          from the 3DS server
//   POST /3ds-1            VEReq (XML)                      from the 3DS server
//   GET  /3ds-1/signers    the key that signs PARes (PEM)   from the 3DS server
//   POST /acs/…            method, CReq, PaReq and answers  from the payer's browser
//   /v1/faults, /v1/transcript                              from whoever tests

import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../domain/clock.ts';
import { httpServer, type ListenAt, listen, readBody, sendReply } from '../../http/http-server.ts';
import { HttpCaller } from '../http-caller.ts';
import { MAX_MESSAGE_CHARACTERS, readMethodData, writeMethodNotification } from '../messages/index.ts';
import { ChallengeDesk, type Limits } from './challenge-desk.ts';
import { type DeskReply, DirectoryDesk } from './directory-desk.ts';
import { NetworkFaultPlan, type NetworkFaults, whyNotFaults } from './faults.ts';
import { LegacyDesk } from './legacy-desk.ts';
import { pageFiles } from './page-files.ts';
import { issuerLanguage } from './page-texts.ts';
import { messagePage, type PageReply, sendingPage } from './pages.ts';
import { Transcript, type TranscriptEntry } from './transcript.ts';

export type NetworksOptions = ListenAt & {
  readonly clock: Clock;
  readonly faults?: Partial<NetworkFaults> | undefined;
  /** Where payers' browsers reach the issuers' pages, when it differs from the address that is listened on. */
  readonly publicUrl?: (() => string) | undefined;
  /** Where the 3DS server takes results, when it is in this process; otherwise where each AReq says. */
  readonly resultsUrl?: (() => string) | undefined;
  /** An address of the 3DS server as the browser that is being answered reaches it. */
  readonly asReached?: ((url: string) => string) | undefined;
  /** How long an issuer waits: real ones give a browser 30 seconds to come. */
  readonly limits?: Partial<Limits> | undefined;
};

export type RunningNetworks = {
  readonly url: string;
  readonly faults: NetworkFaultPlan;
  /** Answers payers' browsers at another server than the own: the path is below `publicUrl`, such as `/acs/answer`. */
  readonly payerPages: PayerPagesOfIssuers;
  /** All messages so far, oldest first. */
  transcript(): readonly TranscriptEntry[];
  close(): Promise<void>;
};

const MAX_BODY_BYTES = MAX_MESSAGE_CHARACTERS * 2;
/** Long enough for a payer, and for a person who plays the merchant by hand. */
const CHALLENGE_MS = 10 * 60 * 1000;
const PROOF_KEY_BYTES = 32;

export async function startNetworks(options: NetworksOptions): Promise<RunningNetworks> {
  const { clock } = options;
  const faults = new NetworkFaultPlan(options.faults);
  const transcript = new Transcript(clock);
  const caller = new HttpCaller({ clock });
  let url = '';
  const publicUrl = () => (options.publicUrl?.() ?? url).replace(/\/$/, '');
  const proofKey = randomBytes(PROOF_KEY_BYTES);
  const limits = { firstCreqMs: CHALLENGE_MS, challengeMs: CHALLENGE_MS, ...options.limits };
  const { resultsUrl, asReached = (address: string) => address } = options;
  const parts = { clock, caller, faults, transcript, limits, publicUrl, resultsUrl, asReached, proofKey };
  const challenges = new ChallengeDesk(parts);
  const directory = new DirectoryDesk(parts, challenges);
  const legacy = new LegacyDesk(parts);
  const closing = new AbortController();
  // Any number of slow answers may listen at the same time.
  setMaxListeners(0, closing.signal);
  const payerRoutes = payerRoutesOf({ challenges, legacy, transcript, asReached });
  const routes = new Map<string, Route>([...routesOf({ directory, faults, legacy, transcript }), ...payerRoutes]);
  const server = httpServer((request, response) => {
    void answer(routes, request, response, (ms) => clock.sleep(ms, closing.signal));
  });
  const listening = await listen(server, options);
  url = listening.url;
  return {
    url,
    faults,
    payerPages: async ({ method, path, body, languages }) =>
      (await payerRoutes.get(`${method} ${path}`)?.(body, languages)) ?? noSuchPage(),
    transcript: () => [...transcript.entries],
    close: async () => {
      closing.abort();
      challenges.close();
      caller.close();
      await listening.cut();
    },
  };
}

/** `languages`: those that the browser prefers, as its header says. */
type PayerPagesOfIssuers = (request: {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: string;
  readonly languages: string | undefined;
}) => Promise<PageReply>;

type MachineParts = {
  readonly directory: DirectoryDesk;
  readonly faults: NetworkFaultPlan;
  readonly legacy: LegacyDesk;
  readonly transcript: Transcript;
};

type PayerParts = {
  readonly challenges: ChallengeDesk;
  readonly legacy: LegacyDesk;
  readonly transcript: Transcript;
  readonly asReached: (url: string) => string;
};

type Reply = (PageReply & { readonly delayMs?: number }) | 'silence';
type Route = (body: string, languages: string | undefined) => Reply | Promise<Reply>;
type PayerRoute = (body: string, languages: string | undefined) => PageReply | Promise<PageReply>;

/** What a payer's browser asks the issuers for. */
function payerRoutesOf({ challenges, legacy, transcript, asReached }: PayerParts): ReadonlyMap<string, PayerRoute> {
  const form = (body: string) => new URLSearchParams(body);
  const routes: [string, PayerRoute][] = [
    ['POST /acs/method', (body, languages) => method(form(body), { transcript, asReached }, languages)],
    ['POST /acs/challenge', (body, languages) => challenges.ask(form(body), languages)],
    ['POST /acs/answer', (body, languages) => challenges.answer(form(body), languages)],
    ['POST /acs/pareq', (body, languages) => legacy.ask(form(body), languages)],
    ['POST /acs/pareq-answer', (body, languages) => legacy.answer(form(body), languages)],
    ...Object.entries(pageFiles).map(([path, file]): [string, PayerRoute] => [`GET ${path}`, () => file]),
  ];
  return new Map(routes);
}

function routesOf({ directory, faults, legacy, transcript }: MachineParts): ReadonlyMap<string, Route> {
  const routes: [string, Route][] = [
    ['POST /emv-3ds', (body) => typed('application/json; charset=utf-8', directory.take(body))],
    ['POST /3ds-1', (body) => typed('application/xml; charset=utf-8', legacy.take(body))],
    ['GET /3ds-1/signers', async () => typed('application/x-pem-file', { body: await legacy.signers() })],
    ['GET /v1/faults', () => json(200, faults.faults)],
    ['PUT /v1/faults', (body) => setFaults(faults, body)],
    ['GET /v1/transcript', () => json(200, transcript.entries)],
    ['GET /healthz', () => json(200, { status: 'ok' })],
  ];
  return new Map(routes);
}

/** A real issuer examines the browser here; the simulated one only reports that it has done so. */
function method(
  form: URLSearchParams,
  { transcript, asReached }: Pick<PayerParts, 'transcript' | 'asReached'>,
  languages: string | undefined,
): PageReply {
  const data = readMethodData(form.get('threeDSMethodData') ?? '');
  if (data === undefined) return messagePage(400, 'Nothing to see', 'The shop sent data that your bank cannot read.');
  transcript.note('browser', 'acs', 'threeDSMethodData', data);
  const { threeDSServerTransID, threeDSMethodNotificationURL } = data;
  return sendingPage({
    language: issuerLanguage(languages),
    action: asReached(threeDSMethodNotificationURL),
    fields: { threeDSMethodData: writeMethodNotification(threeDSServerTransID) },
  });
}

function setFaults(plan: NetworkFaultPlan, body: string): Reply {
  let faults: unknown;
  try {
    faults = JSON.parse(body);
  } catch {
    return json(400, { error: 'faults are a JSON object' });
  }
  const error = whyNotFaults(faults);
  if (error !== undefined) return json(400, { error });
  plan.set(faults as Partial<NetworkFaults>);
  return json(200, plan.faults);
}

function typed(type: string, reply: DeskReply): Reply {
  return reply === 'silence' ? reply : { status: 200, headers: { 'content-type': type }, ...reply };
}

function json(status: number, value: unknown): PageReply {
  return { status, headers: { 'content-type': 'application/json' }, body: `${JSON.stringify(value)}\n` };
}

function noSuchPage(): PageReply {
  return messagePage(404, 'Nothing here', 'There is no such page at the simulated bank.');
}

async function answer(
  routes: ReadonlyMap<string, Route>,
  request: IncomingMessage,
  response: ServerResponse,
  wait: (ms: number) => Promise<void>,
): Promise<void> {
  try {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const route = routes.get(`${request.method} ${path}`);
    const body = await readBody(request, MAX_BODY_BYTES);
    if (body === 'aborted') return;
    if (body === 'too-large') return sendReply(response, messagePage(413, 'Too much', 'The message is too long.'));
    if (!route) return sendReply(response, noSuchPage());
    const reply = await route(body.toString(), request.headers['accept-language']);
    // The caller hangs up when it has waited long enough.
    if (reply === 'silence') return;
    if (reply.delayMs !== undefined) await wait(reply.delayMs);
    sendReply(response, reply);
  } catch {
    if (response.headersSent) response.destroy();
    else sendReply(response, messagePage(500, 'The simulated bank failed', 'Please go back to the shop.'));
  }
}
