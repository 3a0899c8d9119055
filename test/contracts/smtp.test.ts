// Our side of SMTP, held against a mail server that is not ours.

import { afterEach, describe, expect, it } from 'vitest';
import { writeMail } from '../../src/domain/mail/mail-message.ts';
import { readSmtpUrl, type SmtpServer } from '../../src/domain/mail/smtp-url.ts';
import { Secret } from '../../src/domain/secret.ts';
import { type SmtpOptions, sendBySmtp } from '../../src/notifications/mail/smtp.ts';
import { testAuthority } from '../certificates.ts';
import { MailServer, type MailServerOptions, readable } from '../mail-server.ts';

const FROM = 'receipts@pay.example';
const TO = 'ann@example.com';

const authority = testAuthority('mail');
const { certificate: cert, privateKey: key } = authority.issue('mail', { at: 'IP:127.0.0.1' });
const message = writeMail({
  ...{ from: { name: 'Ann’s Socks', address: FROM }, to: TO, id: 'receipt.1.2', at: 0, language: 'en' },
  ...{ subject: 'Ваш чек', text: '.\nThank you\n.', html: '<p>.</p>' },
});

describe('a message to a mail server', () => {
  const opened: MailServer[] = [];

  afterEach(async () => {
    for (const server of opened.splice(0)) await server.close();
  });

  async function open(options: MailServerOptions = {}): Promise<MailServer> {
    const server = await MailServer.open(options);
    opened.push(server);
    return server;
  }

  const at = ({ port }: MailServer, about: Partial<SmtpServer> = {}): SmtpServer => ({
    ...(readSmtpUrl(`smtp://127.0.0.1:${port}`) as SmtpServer),
    ...about,
  });

  function send(server: SmtpServer, about: Partial<SmtpOptions> = {}, to = TO) {
    const options = { name: 'pay.example', timeoutMs: 30_000, mayBegin: async () => true, ...about };
    return sendBySmtp(server, { from: FROM, to, message }, options);
  }

  it('is taken as it was written', async () => {
    const server = await open();
    expect(await send(at(server))).toEqual({ outcome: 'sent' });
    const [mail] = server.taken;
    expect(mail).toMatchObject({ from: FROM, to: [TO], isSecure: false });
    expect(readable(mail?.headers.get('from'))).toBe(`Ann’s Socks <${FROM}>`);
    expect(readable(mail?.headers.get('subject'))).toBe('Ваш чек');
    expect(mail?.bodies.get('text/plain')).toBe('.\r\nThank you\r\n.');
    expect(mail?.bodies.get('text/html')).toBe('<p>.</p>');
  });

  it.each(['starttls', 'at-once'] as const)('goes under TLS: %s', async (tls) => {
    const server = await open({ secure: tls === 'at-once', cert, key });
    expect(await send(at(server, { tls }), { ca: authority.certificate })).toEqual({ outcome: 'sent' });
    expect(server.taken).toMatchObject([{ isSecure: true }]);
  });

  it('is not told to a server that offers no TLS, nor to one whose certificate is not good', async () => {
    const plain = await open({ hideSTARTTLS: true });
    const refused = await send(at(plain, { tls: 'starttls' }));
    expect(refused).toEqual({ outcome: 'later', fault: 'the server offers no STARTTLS' });
    for (const tls of ['starttls', 'at-once'] as const) {
      const unknown = await open({ secure: tls === 'at-once', cert, key });
      expect((await send(at(unknown, { tls }))).outcome).toBe('later');
      expect(unknown.taken).toEqual([]);
    }
    expect(plain.taken).toEqual([]);
  });

  it('is sent by who may log in', async () => {
    const logins: string[] = [];
    const server = await open({
      ...{ authOptional: false, allowInsecureAuth: true },
      onAuth: ({ username, password }, _, done) => {
        logins.push(username);
        if (password === 'right') done(null, { user: username });
        else done(new Error('no'));
      },
    });
    const login = (password: string) => ({ login: { user: 'ann', password: new Secret(password) } });
    expect((await send(at(server, login('wrong')))).outcome).toBe('later');
    expect(await send(at(server, login('right')))).toEqual({ outcome: 'sent' });
    expect(logins).toEqual(['ann', 'ann']);
    expect(server.taken).toHaveLength(1);
  });

  it.each([
    [450, 'later'],
    [550, 'never'],
  ])('whose recipient is answered with %i is to be sent: %s', async (code, outcome) => {
    const server = await open({ recipient: () => code });
    expect(await send(at(server))).toEqual({ outcome, fault: `the server answered ${code}` });
  });

  it.each([
    [451, 'later'],
    [554, 'never'],
  ])('that is answered with %i is to be sent: %s', async (code, outcome) => {
    const server = await open({ judge: () => code });
    expect(await send(at(server))).toEqual({ outcome, fault: `the server answered ${code}` });
  });

  it('may have been taken when the server falls silent with all of it', async () => {
    const server = await open({ judge: () => 'hang-up' });
    expect((await send(at(server))).outcome).toBe('unknown');
  });

  it('does not go out when it is somebody else’s by now', async () => {
    const server = await open();
    expect((await send(at(server), { mayBegin: async () => false })).outcome).toBe('later');
    expect(server.taken).toEqual([]);
  });

  it('waits for a server that is not there, and never goes to what is no address', async () => {
    const server = await open();
    const gone = at(server);
    await server.close();
    opened.pop();
    expect((await send(gone)).outcome).toBe('later');
    expect((await send(gone, {}, 'a@b.c>\r\nRCPT TO:<eve@example.com')).outcome).toBe('never');
  });
});
