import { describe, expect, it } from 'vitest';
import { type Answer, type AnswerKind, complaintAbout, isAccepted } from './judgement.ts';

const JSON_TYPE = 'application/vnd.pay+json';
const answer = (status: number, body: string, contentType = JSON_TYPE): Answer => ({ status, contentType, body });

describe('an answer of the interface', () => {
  it.each<[string, Answer]>([
    ['accepts', answer(200, '{"type":"async-response"}')],
    ['refuses', answer(400, '{"type":"validation-error","errors":[{"code":"1"}]}')],
    ['is in the old form', answer(200, 'type=error\n&error-code=1\n', 'text/html;charset=utf-8')],
  ])('that %s is allowed', (_, allowed) => {
    expect(complaintAbout('operation', allowed, ['key'])).toBeUndefined();
  });

  it.each<[string, Answer, RegExp]>([
    ['breaks', answer(500, '{}'), /status 500/],
    ['shows a key', answer(400, '{"a":"my key"}'), /secret/],
    ['shows a stack', answer(400, '{"a":"x at handle (file:///srv/dist/tender.js:1:2)"}'), /inside/],
    ['shows a statement', answer(400, '{"a":"select order_id from orders"}'), /inside/],
    ['is no JSON', answer(200, '<html>'), /no JSON/],
    ['is a list', answer(200, '[]'), /no JSON object/],
    ['has a number', answer(200, '{"amount":1}'), /amount is no text/],
  ])('that %s is a finding', (_, wrong, complaint) => {
    expect(complaintAbout('operation', wrong, ['key'])).toMatch(complaint);
  });
});

describe('an answer to what browsers or nobody should send', () => {
  it('may be a page, never a failure of ours', () => {
    expect(complaintAbout('page', answer(404, '<html>'), [])).toBeUndefined();
    expect(complaintAbout('page', answer(500, ''), [])).toBe('status 500');
    expect(complaintAbout('page', answer(200, '<title>Pay</title>my key'), ['key'])).toMatch(/secret/);
    expect(complaintAbout('page', answer(200, '<title>Tender · Sandbox</title>my key'), ['key'])).toBeUndefined();
    expect(complaintAbout('page', answer(200, '{"info":{"name":"Tender 1"},"a":"my key"}'), ['key'])).toBeUndefined();
    expect(complaintAbout('raw', answer(408, ''), [])).toBeUndefined();
    expect(complaintAbout('raw', answer(500, ''), [])).toBe('status 500');
  });
});

describe('what was asked for', () => {
  it.each<[AnswerKind, Answer, boolean]>([
    ['operation', answer(200, '{"type":"async-response"}'), true],
    ['operation', answer(400, '{"type":"validation-error"}'), false],
    ['operation', answer(200, 'type=async-response\n&status=processing\n', 'text/html;charset=utf-8'), true],
    ['operation', answer(200, 'type=validation-error\n&error-code=1\n', 'text/html;charset=utf-8'), false],
    ['page', answer(303, ''), true],
    ['page', answer(404, '<html>'), false],
    ['verb', answer(200, '{"answer":[]}'), true],
    ['verb', answer(403, '{"error":"no"}'), false],
  ])('%s %o was done: %s', (kind, reply, isDone) => {
    expect(isAccepted(kind, reply)).toBe(isDone);
  });
});
