// A mail server spoken to (RFC 5321): one message for one recipient, over TLS unless the server is on this machine.
// Whoever sends is asked once more before the message itself goes out, and learns exactly how it went: a server that
// fell silent with the whole message may have taken it.

import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { isMailAddress } from '../../domain/mail/mail-address.ts';
import type { SmtpServer } from '../../domain/mail/smtp-url.ts';
import { SmtpConversation, type SmtpReply, Unanswered } from './smtp-conversation.ts';

/** `later`: it was surely not taken, and may be tried again. `unknown`: it was sent whole, and nobody said more. */
export type MailOutcome =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'later' | 'never' | 'unknown'; readonly fault: string };

export type Envelope = { readonly from: string; readonly to: string; readonly message: string };

export type SmtpOptions = {
  /** Said in EHLO. */
  readonly name: string;
  /** How long the server may take for an answer. */
  readonly timeoutMs: number;
  /** Authorities besides those that Node knows. */
  readonly ca?: string | undefined;
  /** Asked right before the message goes out; nothing is sent unless it says yes. */
  mayBegin(): Promise<boolean>;
};

export async function sendBySmtp(server: SmtpServer, envelope: Envelope, options: SmtpOptions): Promise<MailOutcome> {
  if (![envelope.from, envelope.to].every(isMailAddress))
    return { outcome: 'never', fault: 'no address mail is sent to' };
  let isWhole = false;
  let conversation: SmtpConversation | undefined;
  try {
    conversation = await greeted(server, options);
    await said(conversation, `MAIL FROM:<${envelope.from}>`, 250);
    await said(conversation, `RCPT TO:<${envelope.to}>`, 250, 251);
    if (!(await options.mayBegin())) return { outcome: 'later', fault: 'somebody else sends it' };
    await said(conversation, 'DATA', 354);
    isWhole = true;
    const reply = await conversation.ask(`${envelope.message.replaceAll(/^\./gm, '..')}\r\n.`);
    if (reply.code === 250) {
      conversation.say('QUIT');
      return { outcome: 'sent' };
    }
    return refusedBy(reply);
  } catch (error) {
    if (error instanceof Refused) return refusedBy(error.reply);
    const fault = error instanceof Error ? error.message : 'it failed';
    return { outcome: isWhole ? 'unknown' : 'later', fault };
  } finally {
    conversation?.end();
  }
}

class Refused extends Error {
  readonly reply: SmtpReply;

  constructor(reply: SmtpReply) {
    super('the server refused');
    this.reply = reply;
  }
}

/** Codes from 500 on are final; those from 400 on are for now. The server's own words may name the payer. */
function refusedBy({ code }: SmtpReply): MailOutcome {
  return { outcome: code >= 500 ? 'never' : 'later', fault: `the server answered ${code}` };
}

async function said(conversation: SmtpConversation, line: string, ...codes: number[]): Promise<SmtpReply> {
  const reply = await conversation.ask(line);
  if (!codes.includes(reply.code)) throw new Refused(reply);
  return reply;
}

/** A conversation in which the message may be named: under TLS where it must be, and logged in. */
async function greeted(server: SmtpServer, { name, timeoutMs, ca }: SmtpOptions): Promise<SmtpConversation> {
  const { host, port, tls, login } = server;
  const secure = { host, port, ca, ...(isIP(host) === 0 && { servername: host }) };
  const socket = tls === 'at-once' ? connectTls(secure) : connectPlain({ host, port });
  let conversation = await SmtpConversation.open(socket, tls === 'at-once' ? 'secureConnect' : 'connect', timeoutMs);
  try {
    if ((await conversation.hear()).code !== 220) throw new Unanswered('the server greets nobody');
    let greeting = await said(conversation, `EHLO ${name}`, 250);
    if (tls === 'starttls') {
      if (!offers(greeting, 'STARTTLS')) throw new Unanswered('the server offers no STARTTLS');
      await said(conversation, 'STARTTLS', 220);
      const plain: Socket = conversation.release();
      const covered = connectTls({ ...secure, socket: plain });
      conversation = await SmtpConversation.open(covered, 'secureConnect', timeoutMs);
      greeting = await said(conversation, `EHLO ${name}`, 250);
    }
    if (login) await logIn(conversation, login);
    return conversation;
  } catch (error) {
    conversation.end();
    throw error;
  }
}

function offers({ lines }: SmtpReply, word: string): boolean {
  return lines.some((line) => line.toUpperCase() === word);
}

/** A wrong password is a fault of the installation, which somebody mends: the message waits. */
async function logIn(conversation: SmtpConversation, { user, password }: NonNullable<SmtpServer['login']>) {
  const token = Buffer.from(`\0${user}\0${password.reveal()}`, 'utf8').toString('base64');
  const { code } = await conversation.ask(`AUTH PLAIN ${token}`);
  if (code !== 235) throw new Unanswered(`the server does not let us log in (${code})`);
}
