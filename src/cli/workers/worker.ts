// A worker: one of several whole gateways behind the same port, each in a process of its own. It begins, stops and asks
// the others by way of the process that started it. Signals are for that process: a terminal sends them to all of them.

import type { Crew, CrewAnswers, CrewTopic, RunningGateway } from '../../compose/index.ts';
import { PACKAGE_VERSION } from '../../storage/connection/package-root.ts';
import type { Begin, FromWorker, ToWorker } from './messages.ts';

/** What a worker does, apart from its place among the others. */
export type WorkerLife = {
  open(begin: Begin, crew: Crew): Promise<RunningGateway>;
  announce(gateway: RunningGateway): Promise<void>;
  close(gateway: RunningGateway, how: { readonly isSucceeded?: boolean | undefined }): Promise<void>;
};

export async function runWorker({ open, announce, close }: WorkerLife): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  // A server goes on when whoever read its first lines is gone.
  process.stdout.removeAllListeners('error').on('error', () => {});
  const begin = await untilBegin();
  const complaint = wrongVersion(begin, PACKAGE_VERSION);
  if (complaint) {
    process.stderr.write(`tender: ${complaint}\n`);
    process.exit(1);
  }
  const voice = new Voice(begin);
  const gateway = await open(begin, voice.crew);
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'announce') void announce(gateway);
    if (message.kind !== 'stop') return;
    void close(gateway, message).then(async () => {
      await tell({ kind: 'ended', figures: await voice.answerTo('figures') });
      process.exit(0);
    });
  });
  await tell({ kind: 'ready', version: PACKAGE_VERSION });
}

/** Why this version must not take the place of a worker that died: versions meet only when somebody restarts them. */
export function wrongVersion({ onlyVersion }: Pick<Begin, 'onlyVersion'>, version: string): string | undefined {
  if (onlyVersion === undefined || onlyVersion === version) return undefined;
  return `version ${version} is installed beside version ${onlyVersion}, which runs; restart the gateway to change to it`;
}

function untilBegin(): Promise<Begin> {
  return new Promise((resolve) => {
    const hear = (message: ToWorker) => {
      if (message.kind !== 'begin') return;
      process.off('message', hear);
      resolve(message);
    };
    process.on('message', hear);
    void tell({ kind: 'here' });
  });
}

/** Resolves when it is on its way; who cannot be told any more has ended, and so does this process. */
function tell(message: FromWorker): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected) return resolve();
    process.send?.(message, undefined, undefined, () => resolve());
  });
}

type AnswersBy = { [Topic in CrewTopic]?: () => CrewAnswers[Topic] | Promise<CrewAnswers[Topic]> };

/** How a worker speaks with the others. */
class Voice {
  readonly #answering: AnswersBy = {};
  readonly #asked = new Map<number, (answers: readonly unknown[]) => void>();
  #lastId = 0;
  readonly crew: Crew;

  constructor({ worker, adminToken }: Begin) {
    this.crew = {
      isLead: worker === 1,
      adminToken,
      answers: (topic, answer) => {
        this.#answering[topic] = answer as never;
      },
      ask: <Topic extends CrewTopic>(topic: Topic) =>
        new Promise<readonly CrewAnswers[Topic][]>((resolve) => {
          this.#lastId += 1;
          const id = this.#lastId;
          this.#asked.set(id, resolve as (answers: readonly unknown[]) => void);
          void tell({ kind: 'ask', id, topic });
        }),
    };
    process.on('message', (message: ToWorker) => void this.#hear(message));
  }

  async answerTo(topic: CrewTopic): Promise<unknown> {
    return this.#answering[topic]?.();
  }

  async #hear(message: ToWorker): Promise<void> {
    if (message.kind === 'question') {
      // Who cannot answer now answers nothing, and is left out.
      const answer = await this.answerTo(message.topic).catch(() => undefined);
      await tell({ kind: 'answer', id: message.id, answer });
    }
    if (message.kind !== 'answers') return;
    this.#asked.get(message.id)?.(message.answers);
    this.#asked.delete(message.id);
  }
}
