// A directory server reached over HTTP. Below its address: `emv-3ds` takes JSON messages, `3ds-1` the XML of 1.0.2, and
// `3ds-1/signers` lists the public keys that access control servers sign with (PEM, one after the other).

import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Clock } from '../domain/clock.ts';
import type { DirectoryAnswer, DirectoryServer, EnrolmentAnswer, Silence } from './directory.ts';
import { type HttpAnswer, HttpCaller, type HttpCallerOptions } from './http-caller.ts';
import {
  type AReq,
  type Erro,
  erroOf,
  InvalidDocument,
  MAX_MESSAGE_CHARACTERS,
  MAX_RANGES_CHARACTERS,
  mayBeSent,
  type PReq,
  readMessage,
  readVERes,
  type VEReq,
  writeMessage,
  writeVEReq,
} from './messages/index.ts';

export type HttpDirectoryOptions = {
  readonly url: string;
  readonly clock: Clock;
} & Partial<Pick<HttpCallerOptions, 'connectTimeoutMs' | 'answerTimeoutMs' | 'maxConnections'>>;

const JSON_TYPE = 'application/json; charset=utf-8';
const XML_TYPE = 'application/xml; charset=utf-8';
const PEM = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g;

export function httpDirectory({ url, ...options }: HttpDirectoryOptions): DirectoryServer {
  return new HttpDirectory(url.endsWith('/') ? url : `${url}/`, new HttpCaller(options));
}

class HttpDirectory implements DirectoryServer {
  readonly #url: string;
  readonly #caller: HttpCaller;
  #signers: readonly KeyObject[] = [];

  constructor(url: string, caller: HttpCaller) {
    this.#url = url;
    this.#caller = caller;
  }

  cardRanges(request: PReq): Promise<DirectoryAnswer<'PRes'>> {
    return this.#ask('PRes', request, MAX_RANGES_CHARACTERS);
  }

  authenticate(request: AReq): Promise<DirectoryAnswer<'ARes'>> {
    return this.#ask('ARes', request, MAX_MESSAGE_CHARACTERS);
  }

  async #ask<Type extends 'ARes' | 'PRes'>(type: Type, request: AReq | PReq, longest: number) {
    const { messageVersion: version } = request;
    const answer = await this.#post('emv-3ds', JSON_TYPE, writeMessage(request), longest);
    if (answer.outcome === 'no-answer') return { ...answer, erro: silenceErro(answer.why, request) };
    const category = request.messageType === 'AReq' ? request.messageCategory : undefined;
    const reading = readMessage(type, answer.body, { component: 'S', version, category });
    if (reading.outcome === 'message') return { outcome: 'answered', message: reading.message } as const;
    if (reading.outcome === 'erro') return { outcome: 'refused', erro: reading.erro } as const;
    this.report(reading.erro);
    return { outcome: 'unreadable', erro: reading.erro } as const;
  }

  report(erro: Erro): void {
    if (mayBeSent(erro)) void this.#post('emv-3ds', JSON_TYPE, writeMessage(erro), MAX_MESSAGE_CHARACTERS);
  }

  async verifyEnrolment(request: VEReq): Promise<EnrolmentAnswer> {
    const answer = await this.#post('3ds-1', XML_TYPE, writeVEReq(request), MAX_MESSAGE_CHARACTERS);
    if (answer.outcome === 'no-answer') return answer;
    try {
      const message = readVERes(answer.body);
      if (message.messageId !== request.messageId) return { outcome: 'unreadable', why: 'VERes: a foreign message id' };
      return { outcome: 'answered', message };
    } catch (error) {
      if (error instanceof InvalidDocument) return { outcome: 'unreadable', why: error.message };
      throw error;
    }
  }

  async signers(asked?: 'anew'): Promise<readonly KeyObject[]> {
    if (this.#signers.length > 0 && asked !== 'anew') return this.#signers;
    const url = new URL('3ds-1/signers', this.#url);
    const answer = await this.#caller.call({ method: 'GET', url, longest: MAX_MESSAGE_CHARACTERS });
    const keys = answer.outcome === 'answered' ? publicKeysIn(answer.body) : [];
    // The keys we know stay good until the directory server lists others.
    if (keys.length > 0) this.#signers = keys;
    return this.#signers;
  }

  async close(): Promise<void> {
    this.#caller.close();
  }

  #post(path: string, type: string, body: string, longest: number): Promise<HttpAnswer> {
    return this.#caller.call({ method: 'POST', url: new URL(path, this.#url), type, body, longest });
  }
}

function publicKeysIn(text: string): KeyObject[] {
  return (text.match(PEM) ?? []).flatMap((pem) => {
    try {
      return [createPublicKey(pem)];
    } catch {
      return [];
    }
  });
}

function silenceErro(why: Silence, request: AReq | PReq): Erro {
  return erroOf({
    component: 'S',
    code: why === 'timed-out' ? '402' : '405',
    detail: why === 'timed-out' ? 'no answer in time' : 'no connection',
    version: request.messageVersion,
    about: request.messageType,
    ids: request,
  });
}
