// A directory server reached over HTTP. One that speaks all versions has below its address: `emv-3ds` takes JSON
// messages, `3ds-1` the XML of 1.0.2, and `3ds-1/signers` lists the public keys that access control servers sign with
// (PEM, one after the other). One that speaks EMV 3DS alone, as those of the brands do, takes the JSON at its address.

import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Clock } from '../domain/clock.ts';
import type { DirectoryServer, EnrolmentAnswer, Silence } from './directory.ts';
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
  readonly speaks?: 'all-versions' | 'emv-3ds';
} & Partial<Pick<HttpCallerOptions, 'tls' | 'connectTimeoutMs' | 'answerTimeoutMs'>>;

const JSON_TYPE = 'application/json; charset=utf-8';
const XML_TYPE = 'application/xml; charset=utf-8';
const PEM = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g;

export function httpDirectory({ url, speaks = 'all-versions', ...options }: HttpDirectoryOptions): DirectoryServer {
  const base = url.endsWith('/') ? url : `${url}/`;
  const emv = speaks === 'emv-3ds' ? new URL(url) : new URL('emv-3ds', base);
  const caller = new HttpCaller(options);
  let signers: readonly KeyObject[] = [];

  const post = (url: URL, type: string, body: string, longest = MAX_MESSAGE_CHARACTERS): Promise<HttpAnswer> =>
    caller.call({ method: 'POST', url, type, body, longest });

  const report = (erro: Erro) => {
    if (mayBeSent(erro)) void post(emv, JSON_TYPE, writeMessage(erro));
  };

  async function ask<Type extends 'ARes' | 'PRes'>(type: Type, request: AReq | PReq, longest?: number) {
    const { messageVersion: version } = request;
    const answer = await post(emv, JSON_TYPE, writeMessage(request), longest);
    if (answer.outcome === 'no-answer') return { ...answer, erro: silenceErro(answer.why, request) };
    const category = request.messageType === 'AReq' ? request.messageCategory : undefined;
    const reading = readMessage(type, answer.body, { component: 'S', version, category });
    if (reading.outcome === 'message') return { outcome: 'answered', message: reading.message } as const;
    if (reading.outcome === 'erro') return { outcome: 'refused', erro: reading.erro } as const;
    report(reading.erro);
    return { outcome: 'unreadable', erro: reading.erro } as const;
  }

  return {
    cardRanges: (request) => ask('PRes', request, MAX_RANGES_CHARACTERS),
    authenticate: (request) => ask('ARes', request),
    report,
    verifyEnrolment: async (request) => {
      if (speaks === 'emv-3ds') return { outcome: 'not-spoken' };
      const answer = await post(new URL('3ds-1', base), XML_TYPE, writeVEReq(request));
      return answer.outcome === 'no-answer' ? answer : enrolmentIn(answer.body, request);
    },
    signers: async (asked) => {
      if (speaks === 'emv-3ds' || (signers.length > 0 && asked !== 'anew')) return signers;
      const url = new URL('3ds-1/signers', base);
      const answer = await caller.call({ method: 'GET', url, longest: MAX_MESSAGE_CHARACTERS });
      const keys = answer.outcome === 'answered' ? publicKeysIn(answer.body) : [];
      // The keys we know stay good until the directory server lists others.
      if (keys.length > 0) signers = keys;
      return signers;
    },
    retire: () => caller.retire(),
    close: async () => caller.close(),
  };
}

function enrolmentIn(body: string, { messageId }: VEReq): EnrolmentAnswer {
  try {
    const message = readVERes(body);
    if (message.messageId !== messageId) return { outcome: 'unreadable', why: 'VERes: a foreign message id' };
    return { outcome: 'answered', message };
  } catch (error) {
    if (error instanceof InvalidDocument) return { outcome: 'unreadable', why: error.message };
    throw error;
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
