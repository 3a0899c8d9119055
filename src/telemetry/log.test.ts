import { expect, it } from 'vitest';
import { createLog } from './log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  let text = '';
  write(
    createLog(
      (line) => (text += line),
      () => Date.UTC(2026, 0, 1),
    ),
  );
  return text;
}

it('writes one JSON line per event', () => {
  const line = logged((log) => log.info('started', { count: 3 }));
  expect(line).toBe('{"at":"2026-01-01T00:00:00.000Z","level":"info","message":"started","count":3}\n');
});

it('leaves out whatever is not on its list', () => {
  const fields = { orderId: 7, password: 'hunter2', params: ['4111111111111111'] };
  expect(logged((log) => log.warn('odd', fields as never))).not.toMatch(/hunter2|4111/);
});

it('tells an error by name, message and place, never by its properties', () => {
  const error = Object.assign(new Error('it broke', { cause: new TypeError('deeper') }), {
    params: ['secret value'],
    detail: 'Key (login)=(demo)',
  });
  const line = logged((log) => log.error('failed', { error }));
  expect(line).toContain('Error: it broke ← TypeError: deeper');
  expect(line).toContain('log.test');
  expect(line).not.toMatch(/secret value|Key \(login\)/);
});

it('masks a card number that slipped into a message', () => {
  const line = logged((log) =>
    log.error('failed', { error: new Error('bad card 4111 1111 1111 1111'), detail: '4111111111111111' }),
  );
  expect(line).not.toMatch(/4111 ?1111 ?1111/);
});

it('tells a terminal nothing, whatever it is about', () => {
  const lines: string[] = [];
  createLog((line) => lines.push(line)).warn('a page broke', { detail: '/\u009b2J\u202e' });
  expect(lines[0]).toContain('"detail":"/\\u009b2J\\u202e"');
});
