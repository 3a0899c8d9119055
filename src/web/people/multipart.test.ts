import { describe, expect, it } from 'vitest';
import { multipartFields } from './multipart.ts';

const TYPE = 'multipart/form-data; boundary=----WebKitFormBoundaryAb1';
const MARK = '------WebKitFormBoundaryAb1';

const bodyOf = (...parts: string[]) =>
  Buffer.from(`${parts.map((part) => `${MARK}\r\n${part}\r\n`).join('')}${MARK}--\r\n`, 'latin1');

const text = (name: string, value: string) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;
const file = (name: string, value: string) =>
  `Content-Disposition: form-data; name="${name}"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n${value}`;

describe('a form with files', () => {
  it('gives texts as they are and files as base64', () => {
    const picture = '\x89PNG\r\n\x1a\n\0\r\n\r\n';
    expect(multipartFields(TYPE, bodyOf(text('name', 'Socks\r\nand more'), file('logo', picture)))).toEqual([
      ['name', 'Socks\r\nand more'],
      ['logo', Buffer.from(picture, 'latin1').toString('base64')],
    ]);
  });

  it('gives nothing for a file that was not chosen', () => {
    expect(multipartFields(TYPE, bodyOf(file('logo', '')))).toEqual([['logo', '']]);
  });

  it.each([
    ['another type', 'application/x-www-form-urlencoded', 'a=1', undefined],
    ['no type', undefined, 'a=1', undefined],
    ['no boundary', 'multipart/form-data', 'a=1', undefined],
    ['a body without marks', TYPE, 'a=1', []],
    ['a mark without an end', TYPE, `${MARK}\r\n${text('a', '1')}`, []],
    ['a part without a head', TYPE, `${MARK}\r\nnothing\r\n${MARK}--`, []],
    ['marks side by side', TYPE, `${MARK}${MARK}${MARK}--`, []],
    ['a part without a name', TYPE, `${MARK}\r\nContent-Type: text/plain\r\n\r\nx\r\n${MARK}--`, []],
  ])('of %s is %s', (_, type, body, fields) => {
    expect(multipartFields(type, Buffer.from(body))).toEqual(fields);
  });
});
