import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMailAddress } from './mail-address.ts';
import { mailHeader, writeMail } from './mail-message.ts';
import { readSmtpUrl } from './smtp-url.ts';

const HEADERS = [
  'From',
  'To',
  'Subject',
  'Date',
  'Message-ID',
  'Auto-Submitted',
  'MIME-Version',
  'Content-Language',
  'Content-Type',
];

const message = {
  ...{ from: { name: 'Ann', address: 'receipts@pay.example' }, to: 'ann@example.com', id: 'receipt.1.2', at: 0 },
  ...{ subject: 'Your receipt', text: 'Thank you', html: '<p>Thank you</p>', language: 'en' },
};

describe('a message', () => {
  it('has exactly its own headers and bodies, whatever merchants and payers wrote', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        'a\r\nBcc: eve@example.com',
        '\r\n\r\nbody',
        '.\r\nQUIT',
        '--part-receipt.1.2--',
        '=?UTF-8?B?YQ==?=',
      ),
    );
    fc.assert(
      fc.property(text, text, text, (name, subject, body) => {
        const from = { name, address: message.from.address };
        const raw = writeMail({ ...message, from, subject, text: body, html: body });
        const lines = raw.split('\r\n');
        const head = lines.slice(0, lines.indexOf(''));
        expect(head.filter((line) => !line.startsWith(' ')).map((line) => line.split(':', 1)[0])).toEqual(HEADERS);
        expect(lines.every((line) => /^[\x20-\x7e]*$/.test(line) && line.length <= 200)).toBe(true);
        expect(lines.filter((line) => line.startsWith('--part-'))).toHaveLength(3);
        expect(lines.some((line) => line.startsWith('.'))).toBe(false);
      }),
    );
  });

  it.each([
    ['Ann Example', 'Ann Example'],
    ['Ann’s Socks', '=?UTF-8?B?QW5u4oCZcyBTb2Nrcw==?='],
    ['a\r\nBcc: b', '=?UTF-8?B?YSBCY2M6IGI=?='],
  ])('has %j as a header', (text, written) => {
    expect(mailHeader(text)).toBe(written);
  });

  it.each(['eve@example.com>\r\nRCPT TO:<x@y.z', 'a b@example.com', '', 'ann'])('goes to nobody called %j', (to) => {
    expect(() => writeMail({ ...message, to })).toThrow('plain addresses');
  });
});

describe('an address of e-mail', () => {
  it.each([
    ['ann@example.com', true],
    ["ann.o'neil+shop@mail.example.co", true],
    ['ann@localhost', true],
    ['@example.com', false],
    ['ann@', false],
    ['ann@example..com', false],
    ['.ann@example.com', false],
    ['"ann"@example.com', false],
    ['ann@exa mple.com', false],
    ['ann@example.com\n', false],
    ['änn@example.com', false],
    ['a@b@example.com', false],
    [`${'a'.repeat(65)}@example.com`, false],
    [`ann@${'a.'.repeat(130)}com`, false],
  ])('%s: %s', (text, isOne) => {
    expect(isMailAddress(text)).toBe(isOne);
  });
});

describe('a mail server', () => {
  it.each([
    ['smtp://mail.example', { host: 'mail.example', port: 587, tls: 'starttls' }],
    ['smtp://mail.example:25', { host: 'mail.example', port: 25, tls: 'starttls' }],
    ['smtps://mail.example', { host: 'mail.example', port: 465, tls: 'at-once' }],
    ['smtp://localhost:1025', { host: 'localhost', port: 1025, tls: 'none' }],
    ['smtp://127.0.0.1:1025', { host: '127.0.0.1', port: 1025, tls: 'none' }],
    ['smtp://[::1]:1025', { host: '::1', port: 1025, tls: 'none' }],
    ['smtp://localhost.example.com', { host: 'localhost.example.com', port: 587, tls: 'starttls' }],
    ['smtp://10.0.0.1', { host: '10.0.0.1', port: 587, tls: 'starttls' }],
    ['smtps://127.0.0.1', { host: '127.0.0.1', port: 465, tls: 'at-once' }],
  ])('%s', (text, server) => {
    expect(readSmtpUrl(text)).toEqual({ ...server, login: undefined });
  });

  it('has a login, whose password is not shown', () => {
    const server = readSmtpUrl('smtps://ann%40pay.example:p%3Ass@mail.example');
    expect(server?.login?.user).toBe('ann@pay.example');
    expect(server?.login?.password.reveal()).toBe('p:ss');
    expect(JSON.stringify(server)).not.toContain('p:ss');
  });

  it.each([
    'mail.example',
    'http://mail.example',
    'smtp://',
    'smtp://ann@mail.example',
    'smtp://mail.example/x',
    'smtp://mail.example?tls=no',
    'smtp://a%00b:c@mail.example',
    'smtp://a:%zz@mail.example',
  ])('is not %s', (text) => {
    expect(readSmtpUrl(text)).toBeUndefined();
  });
});
