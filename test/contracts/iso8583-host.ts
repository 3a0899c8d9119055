// A scripted host that speaks ISO 8583 over real sockets: it approves unless its script says otherwise, and it can lose
// answers, answer late, twice or with noise, break connections, and speak unasked.

import { createCipheriv } from 'node:crypto';
import { type AddressInfo, createServer as createPlainServer, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import { macOf } from '../../src/acquirers/iso8583/mac.ts';
import { type HostCodec, type HostMessage, textCodec } from './iso8583-codecs.ts';

export type Heard = {
  readonly message: HostMessage;
  /** Sends any message back on the same connection. */
  readonly say: (message: HostMessage) => void;
  readonly socket: Socket;
};

export type HostOptions = {
  readonly codec?: HostCodec;
  readonly frame?: 'bytes-2' | 'digits-4';
  readonly tpdu?: string;
  readonly mac?: { readonly algorithm: 'x9.19' | 'aes-cmac'; readonly key: string } | undefined;
  readonly tls?: { readonly cert: string; readonly key: string; readonly ca?: string } | undefined;
  readonly port?: number;
};

export type Script = (heard: Heard) => void;

export class ScriptedHost {
  /** Everything that was heard, in order. */
  readonly heard: Heard[] = [];
  readonly sockets = new Set<Socket>();
  /** How many connections were ever made. */
  connections = 0;
  /** What it does with messages about money. */
  script: Script = (heard) => heard.say(approvalOf(heard.message));
  /** What it does with network messages. */
  networkScript: Script = ({ message, say }) => {
    if (message['0']?.charAt(2) === '0') say(networkReplyTo(message));
  };
  readonly #options: HostOptions;
  readonly #server: Server;
  readonly #codec: HostCodec;
  #watchers: (() => void)[] = [];

  constructor(options: HostOptions) {
    this.#options = options;
    this.#codec = options.codec ?? textCodec;
    const { tls } = options;
    const take = (socket: Socket) => this.#take(socket);
    this.#server =
      tls === undefined
        ? createPlainServer(take)
        : createSecureServer({ ...tls, requestCert: tls.ca !== undefined, rejectUnauthorized: true }, take);
    // Handshakes that fail are what some tests are about.
    this.#server.on('tlsClientError', () => {});
  }

  async open(): Promise<this> {
    const { port = 0 } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', resolve);
    });
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  /** Messages about money, by type. */
  ofType(mti: string): HostMessage[] {
    return this.heard.map(({ message }) => message).filter((message) => message['0'] === mti);
  }

  /** Waits until so many messages of a type were heard, and gives the last of them. */
  async hear(mti: string, count = 1): Promise<Heard> {
    for (;;) {
      const found = this.heard.filter(({ message }) => message['0'] === mti)[count - 1];
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#watchers.push(resolve));
    }
  }

  /** Says something unasked on every connection. */
  announce(message: HostMessage): void {
    for (const socket of this.sockets) socket.write(this.bytesOf(message));
  }

  bytesOf(message: HostMessage): Buffer {
    const { mac } = this.#options;
    if (mac === undefined) return this.framed(this.#codec.pack(message));
    const { field, bytes } = this.#codec.mac;
    const packed = this.#codec.pack({ ...message, [field]: '0'.repeat(16) });
    const over = packed.subarray(0, packed.length - bytes);
    const code = hostMac(mac, over);
    return this.framed(Buffer.concat([over, bytes === 16 ? Buffer.from(code.toString('hex').toUpperCase()) : code]));
  }

  framed(content: Buffer): Buffer {
    const { frame = 'bytes-2', tpdu = '' } = this.#options;
    const whole = Buffer.concat([Buffer.from(tpdu, 'hex'), content]);
    const length = [whole.length >> 8, whole.length & 0xff];
    return Buffer.concat([
      frame === 'bytes-2' ? Buffer.from(length) : Buffer.from(String(whole.length).padStart(4, '0')),
      whole,
    ]);
  }

  #take(socket: Socket): void {
    this.connections += 1;
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => {});
    let rest = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      for (let one = this.#cut(rest); one !== undefined; one = this.#cut(rest)) {
        rest = one.rest;
        this.#hear(socket, one.content);
      }
    });
  }

  #cut(bytes: Buffer) {
    const { frame = 'bytes-2', tpdu = '' } = this.#options;
    const before = frame === 'bytes-2' ? 2 : 4;
    if (bytes.length < before) return undefined;
    const length = frame === 'bytes-2' ? bytes[0]! * 256 + bytes[1]! : Number(bytes.toString('latin1', 0, 4));
    if (bytes.length < before + length) return undefined;
    const content = bytes.subarray(before + tpdu.length / 2, before + length);
    return { content, rest: Buffer.from(bytes.subarray(before + length)) };
  }

  #hear(socket: Socket, content: Buffer): void {
    const { mac } = this.#options;
    const message = this.#codec.unpack(content);
    if (mac !== undefined && !isAuthentic(mac, content, message)) return;
    const heard = { message, socket, say: (reply: HostMessage) => void socket.write(this.bytesOf(reply)) };
    this.heard.push(heard);
    if (message['0']?.charAt(1) === '8') this.networkScript(heard);
    else this.script(heard);
    for (const told of this.#watchers.splice(0)) told();
  }
}

type HostMac = NonNullable<HostOptions['mac']>;

/** The MAC of a message is its last field, as text or as bytes. */
function isAuthentic(mac: HostMac, content: Buffer, message: HostMessage): boolean {
  const given = message['128'] ?? message['64'] ?? '';
  const isText = content.subarray(-16).toString('latin1').toUpperCase() === given;
  const over = content.subarray(0, content.length - (isText ? 16 : 8));
  return hostMac(mac, over).toString('hex').toUpperCase() === given;
}

/** X9.19 another way round: chained under the first key, and the last block under both as triple DES. */
function hostMac({ algorithm, key }: HostMac, over: Buffer): Buffer {
  const bytes = Buffer.from(key, 'hex');
  if (algorithm === 'aes-cmac') return macOf(algorithm, bytes, over).subarray(0, 8);
  const first = bytes.subarray(0, 8);
  const padded = Buffer.concat([over, Buffer.alloc((8 - (over.length % 8)) % 8)]);
  let state = Buffer.alloc(8);
  for (let at = 0; at < padded.length; at += 8) {
    const mixed = Buffer.from(state.map((byte, place) => byte ^ padded[at + place]!));
    const isLast = at + 8 === padded.length;
    const under = isLast ? Buffer.concat([bytes, first]) : Buffer.concat([first, first, first]);
    const cipher = createCipheriv('des-ede3-ecb', under, null).setAutoPadding(false);
    state = Buffer.concat([cipher.update(mixed), cipher.final()]);
  }
  return state;
}

const ECHOED = ['3', '4', '7', '11', '12', '24', '32', '37', '41', '42', '49'];

/** The answer to a request, with these fields changed. */
export function answerTo(message: HostMessage, changed: HostMessage): HostMessage {
  const mti = message['0'] ?? '';
  const echoed = Object.fromEntries(
    ECHOED.flatMap((field) => (message[field] === undefined ? [] : [[field, message[field]]])),
  );
  return { 0: `${mti.slice(0, 2)}${Number(mti.charAt(2)) + 1}0`, ...echoed, ...changed };
}

export function approvalOf(message: HostMessage, changed: HostMessage = {}): HostMessage {
  const is93 = message['0']?.startsWith('1');
  return answerTo(message, { 38: 'A1B2C3', 39: is93 ? '000' : '00', ...changed });
}

export function declineOf(message: HostMessage, code: string): HostMessage {
  return answerTo(message, { 39: code });
}

export function networkReplyTo(message: HostMessage): HostMessage {
  const { 0: mti = '', ...fields } = message;
  const { 64: _first, 128: _second, ...plain } = fields;
  const is93 = mti.startsWith('1');
  return { ...plain, 0: `${mti.slice(0, 2)}1${mti.charAt(3)}`, 39: is93 ? '800' : '00' };
}
