// From JSON to a typed message and back. Reading gives a message that was fully checked, an Erro that the peer sent, or
// the Erro to answer with. Messages of our own are checked by the same tables before they leave.

import { duplicateNames } from './duplicate-names.ts';
import { type Component, type ErrorCode, erroOf } from './erro.ts';
import { type FieldFault, faultsIn, isObject, known } from './faults.ts';
import { type Category, isVersion, VERSIONS, type Version } from './format.ts';
import {
  type AnyMessage,
  type Erro,
  fieldsOf,
  isMessageType,
  type MessageType,
  type ThreeDSMessage,
} from './message.ts';

/** Longer than any message with all its extensions. The card ranges of a directory server have a limit of their own. */
export const MAX_MESSAGE_CHARACTERS = 128 * 1024;
export const MAX_RANGES_CHARACTERS = 32 * 1024 * 1024;

export type Reading<Type extends MessageType> =
  | { readonly outcome: 'message'; readonly message: ThreeDSMessage<Type> }
  /** The peer sent an Erro, which must never be answered. */
  | { readonly outcome: 'erro'; readonly erro: Erro }
  /** The message cannot be accepted; this is the Erro to answer with, if `mayBeSent`. */
  | { readonly outcome: 'fault'; readonly erro: Erro };

export type ReadingOptions = {
  /** The party that reads the message. */
  readonly component: Component;
  /** The version of the transaction; without it, any supported version is accepted. */
  readonly version?: Version | undefined;
  /** The category of the transaction's AReq, because an ARes does not tell it. */
  readonly category?: Category | undefined;
};

export function readMessage<Type extends MessageType>(
  type: Type,
  json: string,
  { component, version: agreed, category = '01' }: ReadingOptions,
): Reading<Type> {
  let values: unknown;
  let about: MessageType = type;
  const fault = (code: ErrorCode, detail: string): Reading<Type> => {
    const written = isObject(values) ? values.messageVersion : undefined;
    const version = agreed ?? (isVersion(written) ? written : '2.2.0');
    return { outcome: 'fault', erro: erroOf({ component, code, detail, version, about, ids: values }) };
  };

  values = parse(json, type);
  if (!isObject(values)) return fault('101', 'not a JSON object');
  const { messageType, messageVersion } = values;
  if (messageType === undefined || messageType === null) return fault('201', 'messageType');
  if (messageType !== type && messageType !== 'Erro') {
    if (isMessageType(messageType)) about = messageType;
    return fault('101', `messageType is not ${type}`);
  }
  about = messageType as MessageType;
  const duplicates = duplicateNames(json);
  if (duplicates.length > 0) return fault('204', namesOf(duplicates));
  if (messageVersion === undefined || messageVersion === null) return fault('201', 'messageVersion');
  if (!isVersion(messageVersion)) return fault('102', VERSIONS.join(','));
  // An Erro may have another version, because the peer could not accept ours.
  if (agreed !== undefined && messageVersion !== agreed && about !== 'Erro') return fault('203', 'messageVersion');

  const table = fieldsOf(about);
  const message = known(values, table, messageVersion);
  const faults = faultsIn(message, table, { version: messageVersion, category: categoryIn(message) ?? category });
  const critical = criticalExtensions(message);
  if (critical.length > 0) return fault('202', namesOf(critical));
  if (faults.length > 0) return fault(...worst(faults));
  const read = { messageType: about, messageVersion, ...message };
  return about === 'Erro' && type !== 'Erro'
    ? { outcome: 'erro', erro: read as unknown as Erro }
    : { outcome: 'message', message: read as unknown as ThreeDSMessage<Type> };
}

function parse(json: string, type: MessageType): unknown {
  if (json.length > (type === 'PRes' ? MAX_RANGES_CHARACTERS : MAX_MESSAGE_CHARACTERS)) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function categoryIn({ messageCategory }: Readonly<Record<string, unknown>>): Category | undefined {
  return messageCategory === '01' || messageCategory === '02' ? messageCategory : undefined;
}

/** We support no extension, so every critical one is a fault. */
function criticalExtensions({ messageExtension }: Readonly<Record<string, unknown>>): string[] {
  if (!Array.isArray(messageExtension)) return [];
  return messageExtension
    .filter((extension) => isObject(extension) && extension.criticalityIndicator === true)
    .map(({ id }) => String(id));
}

/** An Erro has one code: missing fields (201) are reported before malformed ones (203). */
function worst(faults: readonly FieldFault[]): [ErrorCode, string] {
  const code = faults.some((fault) => fault.code === '201') ? '201' : '203';
  return [code, namesOf(faults.filter((fault) => fault.code === code).map(({ field }) => field))];
}

function namesOf(names: readonly string[]): string {
  return names.join(',');
}

/** Thrown for a message of our own that a peer would refuse: it names fields, never values. */
export class UnwritableMessage extends Error {
  readonly faults: readonly FieldFault[];

  constructor(type: MessageType, faults: readonly FieldFault[]) {
    super(`${type} cannot be sent: ${faults.map(({ field, hint }) => `${field} (${hint})`).join(', ')}`);
    this.faults = faults;
  }
}

/** What a peer would find wrong with a message of our own; a field that its version does not know is wrong too. */
export function messageFaults(message: AnyMessage, category: Category = '01'): FieldFault[] {
  const { messageType, messageVersion: version, ...values } = message;
  const table = fieldsOf(messageType);
  const foreign = Object.entries(values)
    .filter(([name, value]) => value !== undefined && !table[name]?.versions.includes(version))
    .map(([field]): FieldFault => ({ code: '203', field, hint: `not in ${messageType} ${version}` }));
  const present = known(values, table, version);
  return [...faultsIn(present, table, { version, category: categoryIn(present) ?? category }), ...foreign];
}

export function writeMessage(message: AnyMessage, category: Category = '01'): string {
  const faults = messageFaults(message, category);
  const { messageType, messageVersion, ...values } = message;
  if (faults.length > 0) throw new UnwritableMessage(messageType, faults);
  return JSON.stringify({ messageType, messageVersion, ...known(values, fieldsOf(messageType), messageVersion) });
}
