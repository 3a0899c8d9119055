import { describe, expect, it } from 'vitest';
import { wrongVersion } from './worker.ts';

describe('the version of a worker', () => {
  it.each([
    ['at a start or a restart', undefined, undefined],
    ['the same as the one that died', '1.2.3', undefined],
    ['another than the one that died', '1.2.2', 'version 1.2.3 is installed beside version 1.2.2, which runs'],
  ])('%s', (_, onlyVersion, expected) => {
    expect(wrongVersion({ onlyVersion }, '1.2.3')?.split(';')[0]).toBe(expected);
  });
});
