import { describe, expect, it } from 'vitest';
import { passwordFault, plainPassword } from './passwords.ts';

describe('a password', () => {
  it.each([
    ['tall green kettle', undefined],
    ['tall green kettle with a lid', undefined],
    ['ünderwegs nach Ålesund', undefined],
    ['h7Kd-92mQ-x1Zr', undefined],
    ['tall green kettle '.repeat(7).slice(0, 128), undefined],
    ['annoying kettle', undefined],
    ['short one', 'A password has at least 12 characters.'],
    ['12345678901', 'A password has at least 12 characters.'],
    ['k'.repeat(129), 'A password has at most 128 characters.'],
    ['Password1234!', 'This password is one of the first that are tried.'],
    ['p4ssw0rd2026!!', 'This password is one of the first that are tried.'],
    ['p@$$w0rd20262026', 'This password is one of the first that are tried.'],
    ['pass1234word', 'This password is one of the first that are tried.'],
    ['kxqzkxqzkxqz', 'This password is one of the first that are tried.'],
    ['123456789012', 'This password is one of the first that are tried.'],
    ['210987654321', 'This password is one of the first that are tried.'],
    ['abcdefghijklmnop', 'This password is one of the first that are tried.'],
    ['QWERTYuiop123', 'This password is one of the first that are tried.'],
    ['aaaaaaaaaaaaaaaa', 'This password is one of the first that are tried.'],
    ['abababababab', 'This password is one of the first that are tried.'],
    ['Administrator1', 'This password is one of the first that are tried.'],
    ['ann.example-2026', 'A password must not be made of your own name.'],
    ['1Ann.Example!', 'A password must not be made of your own name.'],
  ])('%s', (password, fault) => {
    expect(passwordFault(password, 'ann.example')).toBe(fault);
  });

  it('is the same however a keyboard sends its letters', () => {
    expect(plainPassword('u\u0308ber ﬁne words')).toBe(plainPassword('\u00fcber fine words'));
  });
});
