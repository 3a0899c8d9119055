import { expect, it } from 'vitest';
import { systemClock } from '../../domain/clock.ts';
import { Transcript } from './transcript.ts';

it('keeps what is short as it is, and the beginning of what is long, however deep it is', () => {
  const transcript = new Transcript(systemClock);
  const long = 'x'.repeat(2_049);
  const cut = `${'x'.repeat(2_048)}…`;
  transcript.note('browser', 'acs', 'CReq', {
    url: long,
    list: [long, { data: long }],
    short: 'x'.repeat(2_048),
    n: 7,
  });
  expect(transcript.entries[0]?.message).toEqual({
    ...{ url: cut, list: [cut, { data: cut }], short: 'x'.repeat(2_048), n: 7 },
  });
});

it('keeps the last thousand, without card numbers', () => {
  const transcript = new Transcript(systemClock);
  for (let count = 0; count < 1_002; count++)
    transcript.note('browser', 'acs', `${count}`, { pan: '4111111111111111' });
  expect(transcript.entries.map(({ name }) => name)).toEqual(Array.from({ length: 1_000 }, (_, at) => `${at + 2}`));
  expect(JSON.stringify(transcript.entries)).not.toContain('4111111111111111');
});
