// Merchants at work, from many hands at once: each hand tells one story after the other, drawn by weight.

import { pause } from '../harness.ts';
import { Payers } from './payers.ts';
import { Requests, type RequestsOptions } from './requests.ts';
import { allStories } from './stories/index.ts';
import { StoredCards } from './stories/stored-cards.ts';
import type { Story } from './stories/story.ts';

const LONGEST_PAUSE_MS = 60;

export type MerchantsOptions = RequestsOptions & { readonly hands: number };

export class Merchants {
  readonly #options: MerchantsOptions;
  readonly #requests: Requests;
  readonly #payers: Payers;
  readonly #stories: readonly Story[];
  /** One of each before chance decides: a short run has all of them too. */
  readonly #untold: Story[];
  #over = false;
  #running: Promise<unknown> | undefined;

  constructor(options: MerchantsOptions) {
    this.#options = options;
    this.#requests = new Requests(options);
    const origins = () => options.clients.map(({ baseUrl }) => new URL(baseUrl).origin);
    this.#payers = new Payers({ origins, random: options.random });
    const cards = new StoredCards(this.#requests);
    this.#stories = allStories({ requests: this.#requests, payers: this.#payers, cards });
    this.#untold = [...this.#stories];
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#requests.counts;
  }

  get complaints(): readonly string[] {
    return [...this.#requests.complaints, ...this.#payers.complaints];
  }

  start(): void {
    this.#running = Promise.all(Array.from({ length: this.#options.hands }, () => this.#work()));
  }

  /** Nothing new; requests under way go on until they are answered, and payers until they are done. */
  async stop(): Promise<void> {
    this.#over = true;
    this.#requests.close();
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
    const total = this.#stories.reduce((sum, { weight }) => sum + weight, 0);
    let left = this.#options.random() * total;
    const isIts = ({ weight }: Story) => {
      left -= weight;
      return left < 0;
    };
    return this.#stories.find(isIts) as Story;
  }
}
