// Lets one whole service have another as its bank: it takes the simulated bank's messages from the near service and
// hands them to the connector to the far one. It remembers what it was told and loses nothing itself.

import type { Server } from 'node:http';
import type { Acquirer, Circumstances, Instruction } from '../../src/acquirers/acquirer.ts';
import { readReference } from '../../src/acquirers/simulator/wire.ts';
import { readInstruction } from '../../src/acquirers/simulator/wire-instruction.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { httpServer, type Listening, listen, readBody, sendReply } from '../../src/http/http-server.ts';

type Told = {
  readonly instruction: Instruction;
  readonly at: number;
  processorTxId?: string | undefined;
  asked: boolean;
};

export class ChainBridge {
  readonly #told = new Map<string, Told>();
  readonly #acquirer: () => Acquirer;
  readonly #clock: Clock;
  readonly #server: Server;
  #listening: Listening | undefined;

  constructor(acquirer: () => Acquirer, clock: Clock) {
    this.#acquirer = acquirer;
    this.#clock = clock;
    this.#server = httpServer(async (request, response) => {
      const body = await readBody(request);
      if (!Buffer.isBuffer(body)) return;
      const answer = await this.#answer(request.url ?? '', body.toString());
      if (response.destroyed) return;
      const headers = { 'content-type': 'application/json' };
      sendReply(response, { status: 200, headers, body: JSON.stringify(answer) });
    });
  }

  async open(): Promise<string> {
    this.#listening = await listen(this.#server, {});
    return this.#listening.url;
  }

  async close(): Promise<void> {
    await this.#listening?.cut();
  }

  async #answer(path: string, body: string): Promise<unknown> {
    if (path === '/v1/instructions') return this.#send(readInstruction(body));
    const reference = readReference(body);
    const told = this.#told.get(reference);
    if (!told) return { word: 'not-found' };
    const { instruction, asked: again } = told;
    told.asked = true;
    const sent = { instruction, around: this.#around(instruction), again };
    const ask = path === '/v1/inquiries' ? this.#acquirer().inquire : this.#acquirer().reverse;
    return this.#heard(told, await ask(reference, sent));
  }

  async #send(instruction: Instruction): Promise<unknown> {
    const at = this.#told.get(instruction.reference)?.at ?? this.#clock.now();
    const told: Told = { instruction, at, asked: false };
    this.#told.set(instruction.reference, told);
    return this.#heard(told, await this.#acquirer().send(instruction, this.#around(instruction)));
  }

  #heard(told: Told, answer: { readonly word: string; readonly processorTxId?: string | undefined }): unknown {
    told.processorTxId = answer.processorTxId ?? told.processorTxId;
    // The simulated bank has no words for these.
    return answer.word === 'unsent' || answer.word === 'challenge' ? { word: 'pending' } : answer;
  }

  #around(instruction: Instruction): Circumstances {
    const site = { merchantNumber: '', terminalNumber: undefined, category: '', country: '', acquirerNumber: '' };
    const at = this.#told.get(instruction.reference)?.at ?? this.#clock.now();
    const common = { site: { ...site, descriptor: 'Chain' }, trace: { number: 1, at }, payer: {} };
    const original = 'original' in instruction ? this.#told.get(instruction.original) : undefined;
    if (!original || !('amount' in original.instruction)) return common;
    const { reference, kind, amount } = original.instruction;
    const { processorTxId } = original;
    return { ...common, origin: { reference, kind, amount, trace: { number: 1, at: 0 }, processorTxId } };
  }
}
