// A bank of the tests that wants every payer on a page of its own, sends browsers back from there, and sends notices.
// What it answers about an instruction is what was decided on that page, or what a test decided in its place.

import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  Acquirer,
  Answer,
  Circumstances,
  InquiryAnswer,
  Instruction,
  Notice,
  NoticeReading,
} from '../../src/acquirers/acquirer.ts';
import { simulatedBank } from '../../src/acquirers/index.ts';
import { type OpenTerminal, siteOf } from '../../src/processing/terminals/terminal.ts';

const DECISIONS = {
  approve: { word: 'approved', approvalCode: 'C1C2C3', rrn: '123456789012', processorTxId: 'TX-CHALLENGE' },
  decline: { word: 'declined', code: '116' },
} as const;

export type Decision = keyof typeof DECISIONS;

export const BANK_KEY = 'the bank and we know it';

type Taken = { readonly instruction: Instruction; readonly around: Circumstances };

export class ChallengingBank {
  readonly taken: Taken[] = [];
  /** References that it was asked about, in their order. */
  readonly inquiries: string[] = [];
  readonly reversed: string[] = [];
  /** Notices it was asked to read. */
  read = 0;
  /** The address it gives next in place of its own page. */
  nextAddress: string | undefined;
  /** Instructions are answered when this is over. */
  beforeAnswer: Promise<unknown> = Promise.resolve();
  readonly #answers = new Map<string, Answer & InquiryAnswer>();
  #server: Server | undefined;

  async open(): Promise<void> {
    this.#server = createServer((request, response) => {
      const { status, location, html } = this.#page(new URL(request.url ?? '/', this.url), request);
      response.writeHead(status, { 'content-type': 'text/html', ...(location && { location }) }).end(html);
    });
    await new Promise<void>((resolve) => this.#server?.listen(0, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  get url(): string {
    const { port } = (this.#server as Server).address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  pageOf(reference: string): string {
    return `${this.url}/confirm?of=${reference}&mark=a%20b%2Bc`;
  }

  /** The page asks; its buttons post the decision, which leads back to the gateway by a redirect or by a form. */
  #page({ pathname, searchParams }: URL, { method }: IncomingMessage) {
    const reference = searchParams.get('of') ?? '';
    const back = this.around(reference)?.returnUrl ?? '';
    const decision = pathname.slice(1) as Decision | 'confirm' | 'leave';
    if (method !== 'POST') {
      const button = (name: string) =>
        `<form method="post" action="/${name}?of=${reference}"><button>${name}</button></form>`;
      const isExact = searchParams.get('mark') === 'a b+c';
      const html = `<title>The bank</title><h1>${isExact ? 'Is this you?' : 'Spoiled address'}</h1>
        ${['approve', 'decline', 'leave'].map(button).join('')}`;
      return { status: 200, location: undefined, html };
    }
    if (decision === 'approve' || decision === 'decline') this.decide(reference, decision);
    if (decision !== 'decline') return { status: 303, location: `${back}?result=whatever`, html: '' };
    const html = `<form method="post" action="${back}"><input name="result" value="ok"><button>on</button></form>
      <script>document.forms[0].submit()</script>`;
    return { status: 200, location: undefined, html };
  }

  around(reference: string): Circumstances | undefined {
    return this.taken.find(({ instruction }) => instruction.reference === reference)?.around;
  }

  decide(reference: string, decision: Decision): void {
    this.#answers.set(reference, DECISIONS[decision]);
  }

  asked(reference: string): number {
    return this.inquiries.filter((one) => one === reference).length;
  }

  /** It in the place of the simulated bank, unless it has another name. */
  terminal(name = 'demo-bank', { hears = true } = {}): OpenTerminal {
    const acquirer: Acquirer = {
      send: (instruction, around) => this.#send(instruction, around),
      inquire: async (reference) => {
        this.inquiries.push(reference);
        return this.#answers.get(reference) ?? { word: 'not-found' };
      },
      reverse: async (reference) => {
        this.reversed.push(reference);
        return { word: 'reversed' };
      },
      test: async () => [],
      receive: hears ? (notice) => this.#receive(notice) : undefined,
      close: async () => {},
    };
    return { ...simulatedBank, name, acquirer, site: (endpoint) => siteOf(endpoint) };
  }

  async #send(instruction: Instruction, around: Circumstances): Promise<Answer> {
    const { reference } = instruction;
    this.taken.push({ instruction, around });
    const url = this.nextAddress ?? this.pageOf(reference);
    this.nextAddress = undefined;
    const isCharge = instruction.kind === 'sale' || instruction.kind === 'preauth';
    const answer = isCharge ? ({ word: 'challenge', url } as const) : DECISIONS.approve;
    this.#answers.set(reference, answer);
    await this.beforeAnswer;
    return answer;
  }

  async #receive({ method, path, query, headers, body }: Notice): Promise<NoticeReading> {
    this.read += 1;
    const key = method === 'GET' ? query.get('key') : headers['x-bank-key'];
    if (key !== BANK_KEY) return { status: 401, body: 'the key is wrong' };
    if (path === '/broken') throw new Error(`cannot read ${body}`);
    const told = method === 'GET' ? Object.fromEntries(query) : JSON.parse(body.toString('utf8'));
    return { status: 202, body: `heard at ${path}`, reference: told.reference, noticeId: told.id };
  }
}
