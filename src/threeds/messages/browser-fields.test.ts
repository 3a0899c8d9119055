// Base64 in every spelling that browsers and servers use, and the contents of form fields.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBase64, readBase64Text, writeBase64Url } from './base64.ts';
import {
  readCreq,
  readCres,
  readMethodData,
  readMethodNotification,
  writeCreq,
  writeCres,
  writeMethodData,
  writeMethodNotification,
} from './browser-fields.ts';
import type { CReq, CRes } from './message.ts';

const ID = '11111111-1111-4111-8111-111111111111';
const creq: CReq = {
  messageType: 'CReq',
  messageVersion: '2.2.0',
  threeDSServerTransID: ID,
  acsTransID: ID,
  challengeWindowSize: '03',
};
const cres: CRes = {
  messageType: 'CRes',
  messageVersion: '2.1.0',
  threeDSServerTransID: ID,
  acsTransID: ID,
  transStatus: 'Y',
};

describe('base64', () => {
  it('is read in both alphabets, padded or not, with blanks for plus signs and line breaks', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), (array) => {
        const bytes = Buffer.from(array);
        const standard = bytes.toString('base64');
        const spellings = [
          standard,
          standard.replaceAll('=', ''),
          standard.replaceAll('+', ' '),
          standard.replace(/.{1,76}/g, '$&\r\n'),
          bytes.toString('base64url'),
          `${bytes.toString('base64url')}${'='.repeat((4 - (bytes.toString('base64url').length % 4)) % 4)}`,
        ];
        for (const spelling of spellings) expect(readBase64(spelling, 200)).toEqual(bytes);
        expect(writeBase64Url(bytes)).toMatch(/^[A-Za-z0-9_-]+$/);
      }),
    );
  });

  it.each(['', '=', 'A', 'AAAAA', 'AA=A', 'AA===', '%41', 'ä', '{"a":1}'])('is not %s', (text) => {
    expect(readBase64(text, 100)).toBeUndefined();
  });

  it('is bounded, and its text is UTF-8', () => {
    expect(readBase64(Buffer.alloc(101).toString('base64'), 100)).toBeUndefined();
    expect(readBase64Text(Buffer.from([0xff, 0xfe]).toString('base64'), 100)).toBeUndefined();
  });
});

describe('fields', () => {
  it('carry CReq and CRes there and back, unpadded base64url', () => {
    expect(writeCreq(creq)).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(readCreq(writeCreq(creq), { component: 'A' })).toEqual({ outcome: 'message', message: creq });
    expect(readCres(writeCres(cres), { component: 'S' })).toEqual({ outcome: 'message', message: cres });
    expect(readCres(Buffer.from(JSON.stringify(cres)).toString('base64'), { component: 'S' })).toMatchObject({
      outcome: 'message',
    });
  });

  it.each(['', '***', writeBase64Url('no json'), writeCreq(creq)])('take no CRes from %s', (text) => {
    expect(readCres(text, { component: 'S' })).toMatchObject({ outcome: 'fault', erro: { errorCode: '101' } });
  });

  it('carry the method data there, and its transaction back', () => {
    const data = { threeDSServerTransID: ID, threeDSMethodNotificationURL: 'https://3ds.example/n' };
    expect(readMethodData(writeMethodData(data))).toEqual(data);
    expect(readMethodNotification(writeMethodNotification(ID))).toBe(ID);
    expect(readMethodNotification(writeMethodData(data))).toBe(ID);
  });

  it.each([
    {},
    [],
    { threeDSServerTransID: 'x', threeDSMethodNotificationURL: 'https://3ds.example' },
    { threeDSServerTransID: ID, threeDSMethodNotificationURL: 'javascript:alert(1)' },
    { threeDSServerTransID: ID, threeDSMethodNotificationURL: 'https://' },
    { threeDSServerTransID: ID },
  ])('take no method data from %j', (value) => {
    expect(readMethodData(writeBase64Url(JSON.stringify(value)))).toBeUndefined();
  });
});
