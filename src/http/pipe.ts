// From request to reply, in fixed steps, each of which can refuse: Accept → form → path → authentication → fields →
// handle. Everything an operation refuses is a 400 that names every fault; everything that breaks inside is a 500.

import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { maskCardNumbers } from '../domain/card/numbers-in-text.ts';
import type { Clock } from '../domain/clock.ts';
import { errors, type Fault, fault, Refusal } from '../domain/errors.ts';
import { type Endpoint, isValidAt, type Merchant, maySign } from '../domain/merchant/merchant.ts';
import { isCurrency } from '../domain/money/currency.ts';
import type { Money, Notation } from '../domain/money/money.ts';
import { Secret } from '../domain/secret.ts';
import { demandedOfMerchant } from '../operations/asked-of-payer.ts';
import { serverError, validationError } from '../operations/error-replies.ts';
import { type Parameters, readForm, type SentField } from '../operations/form.ts';
import type { Operation } from '../operations/operation.ts';
import { bodyOf, type Reply, type ReplyBody } from '../operations/response.ts';
import type { Gateway } from '../processing/gateway.ts';
import type { LiveConfiguration, PathTarget } from '../processing/node/live-configuration.ts';
import type { CallbackUrls } from '../processing/orders/callback-faults.ts';
import type { Caller } from '../processing/requests/caller.ts';
import type { KeyUses } from '../processing/requests/key-uses.ts';
import type { KeyMark } from '../processing/requests/request-marks.ts';
import type { ExplainedSignature } from '../signing/explained-control.ts';
import { strictFault, strictText } from '../signing/strict.ts';
import { outageOf } from '../storage/database.ts';
import type { Log } from '../telemetry/log.ts';
import { KeysTooOld } from '../vault/vault.ts';
import type { ClientCertificate } from '../web/route.ts';
import { endpointFor, endpointsOf, hasLegacyReplies, isSandbox, takesUnsigned } from './addressed-endpoint.ts';
import {
  type ArrivedRequest,
  authenticate,
  expectedString,
  explainedSignature,
  type SignatureParts,
  schemeOf,
  signatureMissing,
} from './authenticate.ts';
import { endpointNotFound } from './authenticate-control.ts';
import type { Authenticated } from './authenticated.ts';
import type { Admission, Place } from './bounds/admission.ts';
import type { ShedRequests } from './bounds/shed-requests.ts';
import { SpentTime, type TimeBudget } from './bounds/time-budget.ts';
import { type FormBody, readFormBody, unreadForm } from './form-body.ts';
import { isLegacyAccept } from './legacy-reply.ts';
import { acceptsOurs, mediaTypeOf } from './media-types.ts';

export type OperationRequest = {
  readonly operation: Operation;
  /** The id at the end of the path, and whether it stood behind `/group/`. */
  readonly pathId: string;
  readonly groupOnly: boolean;
  /** The whole path as it was called, the scheme and the host. */
  readonly path: string;
  readonly scheme: 'http' | 'https';
  readonly host: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The internet address the request came from. */
  readonly address: string;
  readonly certificate: ClientCertificate | undefined;
  readonly serialNumber: string;
};

/** What became of a request: the reply, and what the journal wants to know. */
export type Outcome = {
  readonly status: number;
  readonly reply: ReplyBody;
  /** Whether the reply is written in the old form. */
  readonly legacy: boolean;
  readonly parameters: Parameters | undefined;
  readonly merchantId: number | undefined;
  readonly errorCode: number | undefined;
  /** Whether the request was signed rightly. */
  readonly signed: boolean;
  /** Finds out once why its signature is wrong, in a sandbox; else only if the journal takes the line. */
  readonly explain?: (() => ExplainedSignature | undefined) | undefined;
};

export type PipeParts = SignatureParts & {
  readonly admission: Admission;
  readonly shed: ShedRequests;
  readonly clock: Clock;
  readonly gateway: Gateway;
  readonly keyMark: KeyMark;
  readonly keyUses: Pick<KeyUses, 'used'>;
  readonly log: Log;
};

type Progress = {
  form: FormBody | undefined;
  merchant: Merchant | undefined;
  place: Place | undefined;
  legacy: boolean;
  signed: boolean;
};

type Admitted = { readonly authenticated: Authenticated; readonly target: PathTarget };

/** Errors that pass by themselves: the client may send the request again. */
function isPassing(error: unknown): boolean {
  return error instanceof KeysTooOld || outageOf(error) !== undefined;
}

/** No merchant has this id. */
const NOBODY = 0;

/** Explaining a wrong signature takes milliseconds, and up to a second of one that somebody made for that. */
const EXPLAINING: TimeBudget = { share: 0.1, mostSavedMs: 3_000 };

export class Pipe {
  readonly #parts: PipeParts;
  readonly #explainingTime = new SpentTime(EXPLAINING, performance.now());

  constructor(parts: PipeParts) {
    this.#parts = parts;
  }

  async run(request: OperationRequest): Promise<Outcome> {
    const progress: Progress = {
      form: undefined,
      merchant: undefined,
      place: undefined,
      legacy: false,
      signed: false,
    };
    try {
      const answer = await this.#steps(request, progress);
      if (answer instanceof Refusal) return await this.#refused(answer, request, progress);
      return outcome(200, bodyOf(answer, request.operation.response, request.serialNumber), progress);
    } catch (error) {
      this.#parts.log.error('a request failed', {
        error,
        operation: request.operation.name,
        serialNumber: request.serialNumber,
      });
      const name = isPassing(error) ? 'unavailable' : 'internal';
      return outcome(500, serverError(request.serialNumber, fault(name)), progress, errors[name].code);
    } finally {
      if (progress.place) this.#parts.admission.end(progress.place, performance.now());
      // It may hold a card number, and nobody looks at it again.
      request.body.fill(0);
    }
  }

  /** Whether so much is under way that a request may be refused for it. */
  get isBusy(): boolean {
    return this.#parts.admission.isBusy;
  }

  /** Whether there is too much to do to look at such a request; the path alone says whose it would be. */
  isTooBusyFor(operation: Operation, pathId: string): boolean {
    const { admission, configuration, shed } = this.#parts;
    const target = configuration.target(pathId);
    // Endpoints that do not exist are treated like those of a merchant who has nothing under way.
    const isRefused = admission.refuses(operation, target?.merchantId ?? NOBODY);
    if (isRefused) shed.count(target?.merchantId);
    return isRefused;
  }

  async #steps(request: OperationRequest, progress: Progress): Promise<Reply | Refusal> {
    const { operation, pathId, headers } = request;
    const { configuration } = this.#parts;
    // The form is read before anything is refused, because every refusal names the order it is about.
    const form = formOf(request);
    progress.form = form;
    const isOurs = acceptsOurs(headers.accept);
    const notAccepted = fault('accept-unsupported');
    if (!isOurs && !isLegacyAccept(headers.accept)) return new Refusal(notAccepted);
    const target = configuration.target(pathId);
    const isLegacy =
      !isOurs && target !== undefined && hasLegacyReplies(target, operation, form.parameters, configuration);
    // Strangers get one answer from all endpoints, so that a missing header does not tell which of them are legacy.
    progress.legacy = isLegacy && isSandbox(target, configuration);
    const refusedAsStranger = ({ faults }: Refusal) =>
      isOurs || progress.legacy ? new Refusal(...faults) : new Refusal(notAccepted, ...faults);

    const admitted = await this.#admit(request, form, target);
    if (admitted instanceof Refusal) return refusedAsStranger(admitted);
    const { authenticated } = admitted;
    progress.merchant = authenticated.merchant;
    // Strangers take no places of the merchant whose form they send.
    if (authenticated.signed) {
      progress.place = this.#parts.admission.begin(operation, authenticated.merchant.merchantId);
    }
    progress.signed = authenticated.signed;
    if (!isOurs && !isLegacy) return new Refusal(notAccepted);
    if (authenticated.signed) progress.legacy = isLegacy;
    const answer = await this.#carryOut(request, form, admitted);
    if (answer instanceof Refusal) return authenticated.signed ? answer : refusedAsStranger(answer);
    progress.legacy = isLegacy;
    return answer;
  }

  /** Who asks, and at which of their endpoints. */
  async #admit(request: OperationRequest, form: FormBody, target: PathTarget | undefined): Promise<Admitted | Refusal> {
    const { operation, headers } = request;
    const { configuration } = this.#parts;
    const [firstFault, ...moreFaults] = form.faults;
    if (firstFault) return new Refusal(firstFault, ...moreFaults);
    const notFound = () => new Refusal(endpointNotFound(request.pathId));
    const fits = target && (target.kind === 'endpoint' ? !request.groupOnly : operation.groups);
    const scheme = schemeOf(operation.auth, form, headers.authorization);
    // Another merchant's endpoint must look like a missing one, so both are reported after authentication. So must one
    // that takes signed forms only, except in a sandbox, which has nothing to hide.
    if (scheme === 'unsigned' && !(fits && takesUnsigned(target, operation, form.parameters, configuration))) {
      return !fits && configuration.isSandbox ? notFound() : signatureMissing(operation.auth);
    }
    const authenticated = await authenticate(scheme, this.#arrived(request, form, target), this.#parts);
    if ('faults' in authenticated) return new Refusal(...authenticated.faults);
    const { keyId, merchant } = authenticated;
    if (keyId !== undefined) this.#parts.keyUses.used(merchant.merchantId, keyId);
    if (!fits || target.merchantId !== merchant.merchantId) return notFound();
    return { authenticated, target };
  }

  async #carryOut(
    request: OperationRequest,
    form: FormBody,
    { authenticated, target }: Admitted,
  ): Promise<Reply | Refusal> {
    const { operation } = request;
    const { configuration, gateway } = this.#parts;
    const barred = this.#accessFault(request, authenticated.merchant, target);
    if (barred) return new Refusal(barred);

    const { caller, values, faults } = this.#read(request, form.parameters, target, authenticated);
    const [first, ...more] = faults;
    const answer = first ? new Refusal(first, ...more) : await operation.handle(values, caller, gateway);
    if (!(answer instanceof Refusal) || !isJudgement(answer)) return answer;
    // We may have taken the same request earlier, under other rules: then it gets its order and not a refusal.
    const clientOrderId = form.parameters.get('client_orderid') ?? '';
    const earlier = caller.signed ? await operation.again?.(clientOrderId, caller, gateway) : undefined;
    return (
      earlier ?? this.#withCallbackFaults(answer, values, caller.endpoint ?? endpointsOf(target, configuration)[0])
    );
  }

  /** Callback URLs that cannot be called are told beside whatever else is wrong. */
  #withCallbackFaults(refusal: Refusal, urls: CallbackUrls, endpoint: Endpoint | undefined): Refusal {
    const refused = endpoint ? this.#parts.gateway.callbackFaults(urls, endpoint) : [];
    const isNew = ({ field }: Fault) => !refusal.faults.some((told) => told.field === field);
    return new Refusal(...refusal.faults, ...refused.filter(isNew));
  }

  #arrived(request: OperationRequest, form: FormBody, target: PathTarget | undefined): ArrivedRequest {
    const { operation, pathId, groupOnly, headers } = request;
    const path = `${operation.path}${groupOnly ? '/group' : ''}/${pathId}`;
    const { authorization } = headers;
    const called = { scheme: request.scheme, host: request.host, path: request.path };
    const { clock } = this.#parts;
    const now = clock.now();
    return { operation, pathId, path, called, target, form, authorization, now, aheadMs: clock.aheadMs };
  }

  #accessFault(request: OperationRequest, merchant: Merchant, target: PathTarget): Fault | undefined {
    const { clock, configuration } = this.#parts;
    const { operation, pathId, body, address, certificate } = request;
    if (!merchant.enabled) return fault('merchant-disabled');
    const { allowedAddresses, allowedCertificates, allowedOperations } = merchant;
    if (allowedAddresses.length > 0 && !allowedAddresses.includes(address)) return fault('address-not-allowed');
    if (allowedCertificates.length > 0 && !allowedCertificates.includes(fingerprintOf(certificate))) {
      return fault('certificate-not-allowed');
    }
    if (allowedOperations.length > 0 && !allowedOperations.includes(operation.name)) {
      return fault('operation-not-allowed');
    }
    if (!isStrict(target, configuration)) return undefined;
    const usable = merchant.controlKeys.filter((key) => isValidAt(key, clock.now()) && maySign(key, operation.name));
    const keys = usable.map((one) => one.key);
    const subject = { operation: operation.name, pathId, body };
    const hint = strictFault(request.headers['x-signature'], subject, keys, clock.now());
    return hint === undefined ? undefined : fault('strict-signature-invalid', { hint });
  }

  #read(request: OperationRequest, parameters: Parameters, target: PathTarget, authenticated: Authenticated) {
    const { operation, serialNumber } = request;
    const { merchant, notation, signed, control } = authenticated;
    const currency = parameters.get('currency');
    const endpoint = endpointFor(target, operation, parameters, this.#parts.configuration);
    const payable = currency !== undefined && isCurrency(currency);
    const context = { now: this.#parts.clock.now(), notation, currency: payable ? currency : undefined };
    const { values, faults, sent } = readForm(operation.request, parameters, context, demandedBy(endpoint, operation));
    if (payable && endpoint === undefined && 'currency' in operation.request.fields) {
      const hint = `no end point of group ${request.pathId} takes ${currency}`;
      faults.push(fault('currency-mismatch', { field: 'currency', hint }));
    }
    const strict = isStrict(target, this.#parts.configuration) ? strictText(request.headers['x-signature']) : undefined;
    // With a strict signature, the same bytes again are the same request.
    const ownKey = request.headers['idempotency-key'] ?? strict;
    const idempotencyKey = ownKey ?? (operation.repeatsByBody ? keyOfBody(request) : undefined);
    if (idempotencyKey !== undefined && !isIdempotencyKey(idempotencyKey)) {
      const hint = 'it must be at most 255 printable characters';
      faults.push(fault('parameter-malformed', { field: 'Idempotency-Key', hint }));
    }
    const caller: Caller = {
      merchant,
      endpoint,
      serialNumber,
      address: request.address,
      notation,
      signed,
      strict,
      control,
      // A key may be anything, also a card number: it goes no further than here. Strangers have none: they could take
      // the merchant's.
      idempotencyKey:
        signed && typeof idempotencyKey === 'string'
          ? this.#parts.keyMark(merchant.merchantId, idempotencyKey)
          : undefined,
      isKeyOfBody: ownKey === undefined && idempotencyKey !== undefined,
      said: saidBy(request, sent, values, notation),
    };
    return { caller, values, faults };
  }

  async #refused(refusal: Refusal, request: OperationRequest, progress: Progress): Promise<Outcome> {
    const [first] = refusal.faults;
    const { code } = errors[first.error];
    if (code >= 500) return outcome(500, serverError(request.serialNumber, first), progress, code);
    const { form } = progress;
    const expected = form && (await this.#expectedString(refusal, request, form));
    const explain = form && this.#explainer(refusal, request, form);
    // Who is told what should have been signed is told the mistake as well, and nobody else.
    const { mistake } = (expected !== undefined && explain && this.#explained(explain)?.instead) || {};
    const about = {
      merchantOrderId: form?.parameters.get('client_orderid'),
      expectedString: expected,
      // It names values that were sent, and a card number may be where it does not belong.
      signingMistake: mistake === undefined ? undefined : maskCardNumbers(mistake),
    };
    const refused = outcome(400, validationError(request.serialNumber, refusal.faults, about), progress, code);
    return { ...refused, explain };
  }

  /** Strangers may ask for it as often as they like: what it takes is bounded, and then nothing is explained. */
  #explained(explain: NonNullable<Outcome['explain']>): ExplainedSignature | undefined {
    if (!this.#explainingTime.isLeft(performance.now())) return undefined;
    const began = performance.now();
    const found = explain();
    this.#explainingTime.spend(performance.now() - began);
    return found;
  }

  /** Nothing of it in production, not even about the sandbox endpoints there. */
  #explainer({ faults }: Refusal, request: OperationRequest, form: FormBody): Outcome['explain'] {
    const { configuration } = this.#parts;
    if (!configuration.isSandbox || faults[0].error !== 'invalid-control-code') return undefined;
    const arrived = this.#arrived(request, form, configuration.target(request.pathId));
    let known: { readonly found: ExplainedSignature | undefined } | undefined;
    return () => {
      known ??= { found: explainedSignature(arrived, this.#parts) };
      return known.found;
    };
  }

  /** What should have been signed, where a signature is wrong and its endpoint has nothing to hide. */
  async #expectedString({ faults }: Refusal, request: OperationRequest, form: FormBody): Promise<string | undefined> {
    if (!faults.some(({ error }) => error === 'invalid-control-code')) return undefined;
    const target = this.#parts.configuration.target(request.pathId);
    if (!isSandbox(target, this.#parts.configuration)) return undefined;
    return expectedString(this.#arrived(request, form, target), this.#parts);
  }
}

function outcome(status: 200 | 400 | 500, reply: ReplyBody, progress: Progress, errorCode?: number): Outcome {
  const { form, merchant, legacy, signed } = progress;
  return { status, reply, legacy, parameters: form?.parameters, merchantId: merchant?.merchantId, errorCode, signed };
}

/** As the setting of merchants writes it; a proxy may write it otherwise. */
function fingerprintOf(certificate: ClientCertificate | undefined): string {
  return (certificate?.fingerprint ?? '').replaceAll(':', '').toLowerCase();
}

/** Fields that a hosted form asks the payer for are not demanded of the merchant. */
function demandedBy(endpoint: Endpoint | undefined, { asksPayer }: Operation): readonly string[] | undefined {
  return asksPayer ? demandedOfMerchant(endpoint?.requiredFields) : endpoint?.requiredFields;
}

function isStrict(target: PathTarget, configuration: LiveConfiguration): boolean {
  return endpointsOf(target, configuration).some((endpoint) => configuration.isStrict(endpoint));
}

function formOf({ headers, body }: OperationRequest): FormBody {
  const wrong = contentFault(headers['content-type']);
  return wrong ? unreadForm(wrong) : readFormBody(body);
}

function contentFault(header: string | string[] | undefined): Fault | undefined {
  if (typeof header !== 'string') return fault('body-not-a-form', { hint: 'header Content-Type is missing' });
  if (mediaTypeOf(header) !== 'application/x-www-form-urlencoded') {
    return fault('body-not-a-form', { hint: 'header Content-Type names another type' });
  }
  if (!header.includes(';')) return undefined;
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(header)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    return fault('body-not-a-form', { hint: 'the only charset is UTF-8' });
  }
  return undefined;
}

/** Whether the refusal is about the request, and not about the state of the service. */
function isJudgement({ faults }: Refusal): boolean {
  return errors[faults[0].error].code < 500;
}

function isIdempotencyKey(header: string | string[]): boolean {
  return typeof header === 'string' && /^[\x20-\x7e]{1,255}$/.test(header);
}

/** Stands for a request that may come again: its order is named in the body, and the path says nothing more. */
function keyOfBody({ operation, body }: OperationRequest): string {
  return `same ${operation.name} ${hash('sha256', body, 'hex')}`;
}

/** Left out: security codes are kept in no form, and equal requests with two keys have different signatures. */
const UNSAID = new Set(['cvv2', 'control']);

/** The values as they were read: "1042" and "10.42" ask for the same money, "4111 1111…" names the same card. */
function saidBy(
  { operation: { name }, pathId }: OperationRequest,
  sent: readonly SentField[],
  values: Readonly<Record<string, unknown>>,
  notation: Notation,
): (string | Secret<string>)[] {
  const said: (string | Secret<string>)[] = [name, pathId];
  for (const { property, field, text } of sent) {
    if (UNSAID.has(field.wire)) continue;
    said.push(field.wire, understood(values[property]) ?? `${text} ${notation}`);
  }
  return said;
}

function understood(value: unknown): string | Secret<string> | undefined {
  if (typeof value === 'string' || value instanceof Secret) return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map(({ minor }: Money) => minor).join();
  return typeof value === 'object' && value !== null && 'minor' in value ? String(value.minor) : undefined;
}
