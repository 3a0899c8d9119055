import { describe, expect, it } from 'vitest';
import { InvalidInput } from '../administration/verb/invalid-input.ts';
import { lineFor, waitForFolder } from './complaint.ts';

const system = (fields: Partial<NodeJS.ErrnoException>) => Object.assign(new Error('E: some text'), fields);
const suspects = { host: '192.0.2.1', port: 80 };

describe('the line for a failure', () => {
  it.each([
    [system({ syscall: 'listen', code: 'EADDRINUSE' }), 'port 80 is in use; choose another with --port or PORT'],
    [
      system({ syscall: 'listen', code: 'EADDRINUSE', port: 1080 } as object),
      'port 1080 is in use; choose another with --admin-port or TENDER_ADMIN_PORT',
    ],
    [
      system({ syscall: 'listen', code: 'EACCES' }),
      'port 80 may not be opened by this user; choose one above 1023 with --port or PORT',
    ],
    [
      system({ syscall: 'listen', code: 'EADDRNOTAVAIL' }),
      '192.0.2.1 is not an address of this machine; choose another with --host or HOST',
    ],
    [system({ syscall: 'mkdir', code: 'EACCES', path: '/data' }), 'cannot use /data: this user has no permission'],
    [system({ syscall: 'mkdir', code: 'EROFS', path: '/data' }), 'cannot use /data: the file system is read-only'],
    [system({ syscall: 'open', code: 'ENOENT', path: '/key.pem' }), '/key.pem does not exist'],
    [
      new Error('data folder x is in use by process 7'),
      'data folder x is in use by process 7; stop that one, or choose another folder with --data or TENDER_DATA',
    ],
    [new Error('two\n  lines'), 'two lines'],
    [new InvalidInput('serialNumber: it is wrong'), 'serial number: it is wrong'],
    [new InvalidInput('auditHead is missing: one is needed'), 'audit head is missing: one is needed'],
    [new InvalidInput('login: "McDuck" is taken'), 'login: "McDuck" is taken'],
  ])('%s', (error, line) => {
    expect(lineFor(error, suspects)).toBe(line);
  });
});

describe('a folder that is in use for a moment', () => {
  it('is told from every other failure', () => {
    expect(() => waitForFolder(new Error('data folder x is in use by process 7'))).toThrow(
      'in use by process 7: a gateway that is starting, stopping or in another container, or another command; try again in a moment',
    );
    expect(() => waitForFolder(new Error('another'))).toThrow(/^another$/);
  });
});
