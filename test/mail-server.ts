// A mail server that is not ours (the npm package smtp-server), and what it was given.

import type { AddressInfo } from 'node:net';
import { type Session, SMTPServer } from 'smtp-server';

export type TakenMail = {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly headers: ReadonlyMap<string, string>;
  /** The bodies by their types, decoded. */
  readonly bodies: ReadonlyMap<string, string>;
  readonly isSecure: boolean;
};

export type MailServerOptions = Omit<ConstructorParameters<typeof SMTPServer>[0], 'onData' | 'onRcptTo'> & {
  /** What is answered to the next message, or whether the server hangs up with it. */
  judge?(mail: TakenMail): number | 'hang-up';
  /** What is answered to a recipient: 250 unless said otherwise. */
  recipient?(address: string): number;
};

export class MailServer {
  readonly taken: TakenMail[] = [];
  readonly #server: SMTPServer;

  private constructor({ judge = () => 250, recipient = () => 250, ...options }: MailServerOptions) {
    this.#server = new SMTPServer({
      authOptional: true,
      closeTimeout: 100,
      ...options,
      onRcptTo: ({ address }, _, done) => done(refusal(recipient(address))),
      onData: (stream, session, done) => {
        let raw = '';
        stream.setEncoding('utf8').on('data', (chunk: string) => {
          raw += chunk;
        });
        stream.on('end', () => {
          const mail = mailOf(raw, session);
          this.taken.push(mail);
          const answer = judge(mail);
          if (answer !== 'hang-up') done(refusal(answer));
          else for (const socket of this.#sockets) socket.destroy();
        });
      },
    });
    if (!options.secure && !options.key) this.#server.server.on('connection', (socket) => this.#sockets.add(socket));
    this.#server.on('error', () => {});
  }

  /** Only those in clear are ever cut: Node 20 crashes when a socket is destroyed below its TLS. */
  readonly #sockets = new Set<{ destroy(): void }>();

  static async open(options: MailServerOptions = {}): Promise<MailServer> {
    const server = new MailServer(options);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(resolve));
  }
}

function refusal(code: number): Error | null {
  return code < 400 ? null : Object.assign(new Error('refused'), { responseCode: code });
}

function mailOf(raw: string, { envelope, secure }: Session): TakenMail {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const headers = headersOf(head);
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1] ?? '';
  const parts = rest.join('\r\n\r\n').split(`--${boundary}`).slice(1, -1);
  const bodies = parts.map((part): [string, string] => {
    const [about = '', body = ''] = part.trim().split('\r\n\r\n');
    const [type = ''] = (headersOf(about).get('content-type') ?? '').split(';');
    return [type, Buffer.from(body, 'base64').toString('utf8')];
  });
  const from = envelope.mailFrom.address;
  const to = envelope.rcptTo.map(({ address }) => address);
  return { from, to, raw, headers, bodies: new Map(bodies), isSecure: secure };
}

function headersOf(text: string): Map<string, string> {
  const lines = text.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
}

/** Encoded words as people read them. */
export function readable(header = ''): string {
  return header
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?B\?([^?]*)\?=/g, (_, text: string) => Buffer.from(text, 'base64').toString('utf8'));
}
