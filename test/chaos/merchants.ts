// Merchants at work, from many hands at once: each hand tells one story after the other, of any merchant and drawn by
// weight.

import type { OperationName } from '../../src/operations/index.ts';
import { type Client, pause } from '../harness.ts';
import { Payers } from './payers.ts';
import { Requests, type RequestsOptions } from './requests.ts';
import { allStories } from './stories/index.ts';
import { StoredCards } from './stories/stored-cards.ts';
import type { Story } from './stories/story.ts';

const LONGEST_PAUSE_MS = 60;

export type MerchantsOptions = Omit<RequestsOptions, 'clients'> & {
  /** Of each merchant, at every node. */
  readonly clients: readonly (readonly Client[])[];
  readonly hands: number;
};

export class Merchants {
  readonly #options: MerchantsOptions;
  readonly #requests: readonly Requests[];
  readonly #payers: Payers;
  /** Of each merchant. */
  readonly #stories: readonly (readonly Story[])[];
  /** One of each before chance decides: a short run has all of them too. */
  readonly #untold: Story[];
  #over = false;
  #running: Promise<unknown> | undefined;

  constructor(options: MerchantsOptions) {
    this.#options = options;
    this.#requests = options.clients.map((clients) => new Requests({ ...options, clients }));
    const origins = () => (options.clients[0] ?? []).map(({ baseUrl }) => new URL(baseUrl).origin);
    const payers = new Payers({ origins, random: options.random });
    this.#payers = payers;
    this.#stories = this.#requests.map((requests) =>
      allStories({ requests, payers, cards: new StoredCards(requests) }),
    );
    const [first = []] = this.#stories;
    this.#untold = first.map((_, index) => this.#stories[index % this.#stories.length]?.[index] as Story);
  }

  get counts(): ReadonlyMap<OperationName, number> {
    const all = new Map<OperationName, number>();
    for (const { counts } of this.#requests)
      for (const [name, count] of counts) all.set(name, (all.get(name) ?? 0) + count);
    return all;
  }

  get complaints(): readonly string[] {
    return [...this.#requests.flatMap(({ complaints }) => complaints), ...this.#payers.complaints];
  }

  start(): void {
    this.#running = Promise.all(Array.from({ length: this.#options.hands }, () => this.#work()));
  }

  /** Nothing new; requests under way go on until they are answered, and payers until they are done. */
  async stop(): Promise<void> {
    this.#over = true;
    for (const requests of this.#requests) requests.close();
    await this.#running;
    await this.#payers.allDone();
  }

  async #work(): Promise<void> {
    while (!this.#over) {
      await (this.#untold.shift() ?? this.#drawn()).tell();
      await pause(this.#options.random() * LONGEST_PAUSE_MS);
    }
  }

  #drawn(): Story {
    const stories = this.#stories[Math.floor(this.#options.random() * this.#stories.length)] as readonly Story[];
    const total = stories.reduce((sum, { weight }) => sum + weight, 0);
    let left = this.#options.random() * total;
    const isIts = ({ weight }: Story) => {
      left -= weight;
      return left < 0;
    };
    return stories.find(isIts) as Story;
  }
}
