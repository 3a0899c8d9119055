// Payers at hosted forms: they open the page, enter a card and send it, some of them twice or from two tabs, some too
// late, some never; some go back to the shop after a decline. Where 3-D Secure asks them they go to their issuer and
// come back. What a page told them they remember.

import { isFinal } from '../../src/domain/order/stages.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { PayerOrder, PayerState } from '../../src/processing/checkout/checkout.ts';
import type { Turn } from '../../src/processing/three-d-secure/payer-authentication.ts';
import type { Doors, Node, World } from './node.ts';
import type { Issuer, Visit } from './plan.ts';

const CARD = { number: new Secret('4111111111111111'), expireMonth: 12, expireYear: 2031, holder: 'Ann Example' };

const BROWSER = {
  ...{ acceptHeader: '*/*', userAgent: 'Simulated', language: 'en', javascriptEnabled: 'true', javaEnabled: 'false' },
  ...{ colorDepth: '24', screenHeight: '900', screenWidth: '1400', timeZone: '0' },
};

/** A page that waits asks again and again, less and less often. */
const MOST_LOOKS = 9;
const FIRST_LOOK_MS = 1_000;
/** Longer than two clicks take. */
const TYPED_MS = 500;

export class Payers {
  readonly complaints: string[] = [];
  /** Tries a card was entered for. */
  readonly #entered = new Set<string>();
  /** How each form ended, as a page said. */
  readonly #ends = new Map<number, { readonly version: number; readonly state: PayerState }>();
  readonly #links = new Set<string>();
  readonly #world: Pick<World, 'scheduler' | 'networks'>;
  readonly #nodes: readonly Node[];

  constructor(world: Pick<World, 'scheduler' | 'networks'>, nodes: readonly Node[]) {
    this.#world = world;
    this.#nodes = nodes;
  }

  hasEntered(orderId: number, seq: number): boolean {
    return this.#entered.has(`${orderId}-${seq}`);
  }

  /** The merchant sends a payer to the form; again is the same payer. */
  send(url: string, { visits, issuer }: { visits: readonly Visit[]; issuer?: Issuer }): void {
    if (this.#links.has(url)) return;
    this.#links.add(url);
    const token = url.slice(url.lastIndexOf('/') + 1);
    for (const visit of visits) {
      this.#world.scheduler.after(visit.afterMs, undefined, 'payer opens the form', () => {
        this.#open(token, visit);
        const typed = visit.typingMs + TYPED_MS;
        if (issuer)
          this.#world.scheduler.after(typed, undefined, 'payer goes on', () => this.authenticate(token, issuer));
      });
    }
  }

  #open(token: string, visit: Visit): void {
    this.#ask(`shows a form`, async ({ checkout }) => {
      const found = await checkout.find(token);
      return () => {
        if (typeof found === 'string') this.complaints.push(`the link of a form is ${found}`);
        else this.#read(found, visit);
      };
    });
  }

  /** The payer looks whether 3-D Secure has a question. */
  authenticate(token: string, issuer: Issuer | undefined): void {
    if (issuer?.comes) this.#look(token, 0);
  }

  #look(token: string, looks: number): void {
    if (looks === MOST_LOOKS) return;
    const { scheduler } = this.#world;
    let isOver = false;
    scheduler.after(FIRST_LOOK_MS * 2 ** looks, undefined, 'payer looks again', () => {
      if (!isOver) this.#look(token, looks + 1);
    });
    this.#ask('tells whose turn it is', async ({ authentication }) => {
      const turn = await authentication?.turn(token);
      return () => {
        isOver = turn?.kind === 'elsewhere' || turn?.kind === 'challenge';
        this.#take(token, turn);
      };
    });
  }

  #take(token: string, turn: Turn | undefined): void {
    if (turn?.kind === 'method-url') {
      this.#ask('hears of a browser', async ({ authentication }) => {
        await authentication?.continue(token, BROWSER);
        return () => {};
      });
    }
    if (turn?.kind === 'challenge') {
      this.#world.networks?.challenge(turn.creq, (cres) =>
        this.#ask('takes what the browser brings', async ({ authentication }) => {
          await authentication?.browserBack(token, { cres });
          return () => {};
        }),
      );
    }
  }

  #read(found: PayerOrder, visit: Visit): void {
    const { order, state, transaction } = found;
    this.#remember(found);
    if (state !== 'card') return;
    const { scheduler } = this.#world;
    const input = { seq: transaction.seq, card: { ...CARD, cvv: new Secret(visit.cvv) }, details: {} };
    const click = () => {
      this.#entered.add(`${order.orderId}-${transaction.seq}`);
      this.#ask(`takes a card for ${order.orderId}-${transaction.seq}`, async ({ checkout }) => {
        await checkout.giveCard(found, input, { language: 'en' });
        return () => {};
      });
    };
    const leave = () => {
      this.#ask(`lets a payer leave ${order.orderId}-${transaction.seq}`, async ({ checkout }) => {
        await checkout.leave(found);
        return () => {};
      });
    };
    const [words, act] =
      visit.leaves && found.wayOut ? (['payer goes back', leave] as const) : (['payer sends a card', click] as const);
    for (let count = 1; count <= visit.clicks; count++) {
      scheduler.after(visit.typingMs + count * scheduler.between(0, 200), undefined, words, act);
    }
  }

  /** A form that ended stays as it ended. */
  #remember({ order: { orderId, version }, state, transaction }: PayerOrder): void {
    const end = this.#ends.get(orderId);
    if (end && end.version <= version && end.state !== state) {
      this.complaints.push(`the form of order ${orderId} was ${end.state} and then ${state}`);
    }
    // A page may say that the time is over while a card that was sent in time is being written.
    if (isFinal(transaction.stage)) this.#ends.set(orderId, { version, state });
  }

  /** What a node that is up makes of a request; a payer who gets no answer comes back or does not. */
  #ask(label: string, request: (doors: Doors) => Promise<() => void>): void {
    const { scheduler } = this.#world;
    const node = this.#nodes[scheduler.between(0, this.#nodes.length - 1)] as Node;
    if (!node.isUp) return;
    scheduler.after(scheduler.between(1, 30), node.process, label, () => {
      request(node.doors as Doors).then(
        (hear) => scheduler.after(scheduler.between(1, 30), undefined, `payer sees: ${label}`, hear),
        (error) => scheduler.say(`${node.process.name} fails a payer: ${error.message}`),
      );
    });
  }
}
