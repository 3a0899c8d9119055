// One process as a supervisor sees it, a gateway, the bank or the card networks: started again whenever it is gone,
// killed and paused on purpose.

import { appendFile } from 'node:fs/promises';
import type { TenderProcess } from '../scenarios/tender-process.ts';

/** A start fails when the database is away at that moment; a supervisor tries again. */
const START_TRIES = 20;
const START_PAUSE_MS = 500;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

type Running = { readonly process: TenderProcess; readonly url: string };

export type SupervisedOptions = {
  readonly name: string;
  readonly launch: (args: readonly string[]) => Promise<Running>;
  readonly args: readonly string[];
  readonly logFile: string;
};

export class Supervised {
  url = 'http://127.0.0.1:1';
  state: 'down' | 'up' | 'paused' = 'down';
  readonly name: string;
  /** It ended although nobody had asked it to. */
  readonly complaints: string[] = [];
  readonly #options: SupervisedOptions;
  /** Where it was first, it comes back: others have its address. */
  #port: readonly string[] = [];
  #running: Running | undefined;
  #abandoned = false;

  constructor(options: SupervisedOptions) {
    this.name = options.name;
    this.#options = options;
  }

  async start(): Promise<void> {
    const { launch, args } = this.#options;
    for (let tries = 1; !this.#abandoned; tries++) {
      try {
        const running = await launch([...args, ...this.#port]);
        if (this.#abandoned) return void (await running.process.stop('SIGKILL'));
        this.#running = running;
        this.url = running.url;
        this.#port = ['--port', new URL(running.url).port];
        this.state = 'up';
        void running.process.ended.then(({ code, stderr }) => this.#ended(running, code, stderr));
        return;
      } catch (error) {
        if (tries === START_TRIES) throw new Error(`${this.name} does not start`, { cause: error });
        await sleep(START_PAUSE_MS);
      }
    }
  }

  /** For good: a start that is under way ends at once. */
  async abandon(): Promise<void> {
    this.#abandoned = true;
    await this.kill();
  }

  async kill(): Promise<void> {
    await this.#leave('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.#leave('SIGTERM');
  }

  async #leave(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    this.state = 'down';
    const ended = await running?.process.stop(signal);
    if (ended) await appendFile(this.#options.logFile, `${ended.stderr}--- ${signal}\n`);
  }

  /** Stopped in its tracks for so long, connections open, and then goes on as if nothing had happened. */
  async pause(ms: number): Promise<void> {
    const running = this.#running;
    if (!running) return;
    this.state = 'paused';
    running.process.signal('SIGSTOP');
    await sleep(ms);
    running.process.signal('SIGCONT');
    if (this.#running === running) this.state = 'up';
  }

  #ended(running: Running, code: number | null, stderr: string): void {
    if (this.#running !== running) return;
    this.#running = undefined;
    this.state = 'down';
    this.complaints.push(
      `${this.name} ended by itself with ${code}: ${stderr.trimEnd().split('\n').slice(-3).join(' | ')}`,
    );
  }
}
