// One run: a gateway as a process on a new database, several senders for some minutes, then the books. What is found is
// told once for each place and kind, with what was sent.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO, until } from '../harness.ts';
import { throughIssuer } from '../scenarios/payer.ts';
import { type Ended, startProcess, type TenderProcess, tenderProcess } from '../scenarios/tender-process.ts';
import { Chance } from './chance.ts';
import { consoleRequest } from './console.ts';
import type { World } from './good-requests.ts';
import { type Answer, type AnswerKind, complaintAbout, isAccepted, replyFields } from './judgement.ts';
import { Known } from './known.ts';
import { pageRequest } from './pages.ts';
import { type FuzzRequest, type OperationRequest, operationRequest, type Shop, STRANGERS_KEY } from './requests.ts';
import { bytesOf, NoAnswer, sendBytes, sendRequest, spoiltRequest } from './sending.ts';
import { accountRequest, hireOfficials, type Official, verbRequest } from './verbs.ts';

const SENDERS = 6;
const MOST_GOOD = 50;
/** Of so many requests of an operation one is good enough. */
const MUST_PASS_AFTER = 100;
const SHOWN_BYTES = 600;
const STATUS_LINE = /(?:^|\n)HTTP\/1\.1 (\d{3}) /g;

export type FuzzOptions = {
  readonly databaseUrl: string | undefined;
  readonly seconds: number;
  readonly seed: number;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
};

export type FuzzReport = {
  readonly sent: Readonly<Record<string, number>>;
  readonly answers: Readonly<Record<string, number>>;
  /** How many of each kind were sent, and how many of them were accepted. */
  readonly kinds: Readonly<Record<string, Tally>>;
  readonly findings: readonly string[];
};

export type Tally = { sent: number; accepted: number };

export async function fuzzRun(options: FuzzOptions): Promise<FuzzReport> {
  const folder = await mkdtemp(join(tmpdir(), 'tender-fuzz-'));
  const place = ['--data', join(folder, 'data'), ...databaseOf(options)];
  const gateway = await startProcess(place);
  try {
    const privateKey = await readFile(join(folder, 'data', 'demo-private-key.pem'), 'utf8');
    const officials = await hireOfficials({ adminUrl: gateway.adminOrigin, dataFolder: join(folder, 'data') });
    const run = new FuzzRun(options, gateway, { shop: { ...DEMO, privateKey }, officials });
    await run.send();
    run.checkShares();
    await run.settle();
    await run.checkBooks(place);
    const { code } = await gateway.process.stop();
    if (code !== 0) run.find('the gateway', `it ended with ${code}`, gateway.process.stderr.slice(-SHOWN_BYTES));
    run.checkLog(gateway.process);
    return run.report();
  } finally {
    await gateway.process.stop('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}

function databaseOf({ databaseUrl }: FuzzOptions): string[] {
  return databaseUrl === undefined ? [] : ['--database-url', databaseUrl];
}

type Gateway = {
  readonly process: TenderProcess;
  readonly baseUrl: string;
  readonly origin: string;
  readonly adminOrigin: string;
};

type Callers = { readonly shop: Shop; readonly officials: readonly Official[] };

/** How often, and how many times, books are compared while a bank's answer that did not come is still asked for. */
const ASKED_EVERY_MS = 5_000;
const MOST_COMPARED = 24;

/** On a busy machine an answer may come too late; until it was asked for, the books cannot agree. */
async function onceAllIsAsked(args: readonly string[]): Promise<Ended> {
  for (let times = 1; ; times += 1) {
    const ended = await tenderProcess(args);
    if (times === MOST_COMPARED || !ended.stdout.includes('still open here')) return ended;
    await sleep(ASKED_EVERY_MS);
  }
}

class FuzzRun {
  readonly #options: FuzzOptions;
  readonly #gateway: Gateway;
  readonly #shop: Shop;
  readonly #officials: readonly Official[];
  readonly #known = new Known();
  readonly #good: Buffer[] = [];
  readonly #sent: Record<string, number> = {};
  readonly #answers: Record<string, number> = {};
  readonly #kinds: Record<string, Tally> = {};
  readonly #operations: Record<string, Tally> = {};
  readonly #findings = new Map<string, string>();

  constructor(options: FuzzOptions, gateway: Gateway, { shop, officials }: Callers) {
    this.#options = options;
    this.#gateway = gateway;
    this.#shop = shop;
    this.#officials = officials;
  }

  /** Sends until the time is over. */
  async send(): Promise<void> {
    const { seconds, seed, signal, say } = this.#options;
    const endsAt = performance.now() + seconds * 1000;
    const agent = new Agent({ keepAlive: true, maxSockets: SENDERS });
    const isOver = () => performance.now() > endsAt || signal.aborted || !this.#gateway.process.isRunning;
    const ticking = setInterval(() => say(`${total(this.#sent)} sent, ${this.#findings.size} findings`), 15_000);
    const senders = Array.from({ length: SENDERS }, async (_, sender) => {
      const chance = new Chance(seed * SENDERS + sender);
      while (!isOver()) await this.#sendOne(chance, agent);
    });
    try {
      await Promise.all(senders);
    } finally {
      clearInterval(ticking);
      agent.destroy();
    }
    if (!this.#gateway.process.isRunning)
      this.find('the gateway', 'it died', this.#gateway.process.stderr.slice(-2000));
  }

  async #sendOne(chance: Chance, agent: Agent): Promise<void> {
    const { baseUrl, origin, adminOrigin } = this.#gateway;
    const world = { chance, known: this.#known, now: Date.now() };
    const turn = chance.below(100);
    if (turn < 50) await this.#askOperation(world, agent);
    else if (turn < 62) await this.#askPage(pageRequest(world, baseUrl), origin, agent);
    else if (turn < 70) await this.#askVerb(world, agent);
    else if (turn < 75) await this.#askPage(accountRequest(world, this.#officials, adminOrigin), adminOrigin, agent);
    else if (turn < 80) await this.#askPage(consoleRequest(world, this.#officials, adminOrigin), adminOrigin, agent);
    else await this.#askRaw(world);
  }

  async #askOperation(world: World, agent: Agent): Promise<void> {
    const { chance, known, now } = world;
    const { baseUrl: base, origin } = this.#gateway;
    const isStranger = chance.happens(0.05);
    const shop = isStranger ? { login: 'demo', key: 'wrong', privateKey: STRANGERS_KEY } : this.#shop;
    const request: OperationRequest = operationRequest(world, { shop, base });
    const answer = await this.#ask('operation', request, { origin, agent });
    if (!answer) return;
    this.#tally(this.#operations, request.label, isAccepted('operation', answer));
    if (!isAccepted('operation', answer)) return;
    if (this.#good.length < MOST_GOOD) this.#good.push(bytesOf(request, 'localhost'));
    const reply = replyFields(answer);
    known.learn(request.operation, request.place, reply, now);
    if (chance.happens(0.3)) await this.#visitIssuer(request, reply);
  }

  /** As the payer's browser would, so that the merchant has something to hand in. */
  async #visitIssuer({ place }: OperationRequest, reply: Readonly<Record<string, string>>): Promise<void> {
    const step = reply['tds-status'];
    if (step !== 'challenge' && step !== 'pareq') return;
    const { 'paynet-order-id': orderId = '', 'merchant-order-id': clientOrderId = '' } = reply;
    const order = { orderId, clientOrderId, place, since: Date.now() };
    // Another sender may have been there before.
    const { cres, PaRes, MD = '' } = await throughIssuer(reply, 'hint').catch((): Record<string, string> => ({}));
    if (cres) this.#known.steps.cres.push({ order, fields: { cRes: cres } });
    if (PaRes) this.#known.steps.pares.push({ order, fields: { paRes: PaRes, md: MD } });
  }

  async #askPage(request: FuzzRequest, origin: string, agent: Agent): Promise<void> {
    const answer = await this.#ask('page', request, { origin, agent });
    if (answer && request.label === 'page') this.#known.learnForm(request.path, answer.body);
  }

  async #askVerb(world: World, agent: Agent): Promise<void> {
    const { adminOrigin: origin } = this.#gateway;
    const request = verbRequest(world, this.#officials, origin);
    const answer = await this.#ask('verb', request, { origin, agent });
    if (answer?.status === 200 && !request.isAllowed) this.find(request.label, 'it was done', shown(request, ''));
  }

  /** Undefined when nothing was answered, or something that is a finding. */
  async #ask(
    kind: AnswerKind,
    request: FuzzRequest,
    { origin, agent }: { readonly origin: string; readonly agent: Agent },
  ): Promise<Answer | undefined> {
    this.#count(this.#sent, request.label);
    try {
      const answer = await sendRequest(origin, agent, request);
      this.#count(this.#answers, `${kind} ${answer.status}`);
      const complaint = complaintAbout(kind, answer, [this.#shop.key]);
      if (complaint) {
        this.find(request.label, complaint, shown(request, answer.body));
        return undefined;
      }
      this.#tally(this.#kinds, kind, isAccepted(kind, answer));
      return answer;
    } catch (error) {
      // A connection that the gateway ended, for it had to, is made anew; only silence is wrong.
      if (error instanceof NoAnswer) this.find(request.label, error.message, shown(request, ''));
      else this.#count(this.#answers, `${kind} ${(error as NodeJS.ErrnoException).code ?? 'failed'}`);
      return undefined;
    }
  }

  #tally(tallies: Record<string, Tally>, name: string, isGood: boolean): void {
    tallies[name] ??= { sent: 0, accepted: 0 };
    tallies[name].sent++;
    if (isGood) tallies[name].accepted++;
  }

  async #askRaw(world: World): Promise<void> {
    const { chance } = world;
    const { baseUrl: base, origin } = this.#gateway;
    const { host, port } = new URL(origin);
    const fresh = bytesOf(operationRequest(world, { shop: this.#shop, base }), host);
    const bytes = spoiltRequest(chance, [fresh, ...this.#good]);
    this.#count(this.#sent, 'bytes');
    try {
      const text = await sendBytes(Number(port), chance, bytes);
      const statuses = [...text.matchAll(STATUS_LINE)].map(([, status]) => Number(status));
      if (statuses.length === 0) this.#count(this.#answers, 'bytes closed');
      if (text !== '' && !text.startsWith('HTTP/1.1 ')) this.find('bytes', 'the answer is no HTTP', hex(bytes));
      for (const status of statuses) {
        this.#count(this.#answers, `bytes ${status}`);
        const complaint = complaintAbout('raw', { status, contentType: '', body: text }, [this.#shop.key]);
        if (complaint) this.find('bytes', complaint, `${hex(bytes)}\n${text.slice(0, SHOWN_BYTES)}`);
      }
    } catch (error) {
      this.find('bytes', (error as Error).message, hex(bytes));
    }
  }

  /** A run whose requests are refused tries nothing but the door. */
  checkShares(): void {
    for (const [name, { sent, accepted }] of Object.entries(this.#operations)) {
      if (sent >= MUST_PASS_AFTER && accepted === 0) this.find(name, `none of ${sent} was accepted`, '');
    }
  }

  /** Waits until nothing is under way at the bank. */
  async settle(): Promise<void> {
    const inFlight = async () => {
      const text = await (await fetch(`${this.#gateway.origin}/metrics`)).text();
      return Number(/^tender_orders_in_flight (\d+)$/m.exec(text)?.[1] ?? Number.NaN);
    };
    await until('no order is in flight', async () => (await inFlight()) === 0);
  }

  /** The database must hold everything that must be true of it, and agree with the bank's books. */
  async checkBooks(place: readonly string[]): Promise<void> {
    for (const command of ['verify', 'reconcile']) {
      const { code, stdout, stderr } = await onceAllIsAsked([command, ...place]);
      this.#options.say(`tender ${command}: ${code === 0 ? 'all is well' : `exit code ${code}`}`);
      if (code !== 0) this.find(`tender ${command}`, `exit code ${code}`, (stdout + stderr).slice(0, 4000));
    }
  }

  /** No request may have broken something inside, whatever was answered. */
  checkLog({ stderr }: TenderProcess): void {
    for (const line of stderr.split('\n')) {
      if (line === '' || !line.startsWith('{')) continue;
      const { level, message, operation = '' } = JSON.parse(line);
      if (level === 'error') this.find(`log ${operation}`, message, line.slice(0, 2000));
    }
  }

  find(where: string, what: string, evidence: string): void {
    const key = `${where}: ${what}`;
    if (this.#findings.has(key)) return;
    this.#findings.set(key, evidence);
    this.#options.say(`! ${key}\n${evidence}`);
  }

  #count(counts: Record<string, number>, name: string): void {
    counts[name] = (counts[name] ?? 0) + 1;
  }

  report(): FuzzReport {
    return { sent: this.#sent, answers: this.#answers, kinds: this.#kinds, findings: [...this.#findings.keys()] };
  }
}

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function shown({ method, path, headers, body }: FuzzRequest, answer: string): string {
  const text = [`${method} ${path}`, JSON.stringify(headers), body, '→', answer];
  return text.map((line) => line.slice(0, SHOWN_BYTES)).join('\n');
}

function hex(bytes: Buffer): string {
  return JSON.stringify(bytes.toString('latin1').slice(0, SHOWN_BYTES * 3));
}
