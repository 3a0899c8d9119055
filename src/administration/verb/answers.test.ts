import { describe, expect, it } from 'vitest';
import { aList, anObject, aText, orNull, tellsOnce, toldOnce } from './answers.ts';

const key = anObject({ id: aText(), secret: toldOnce(orNull(aText())) });

describe('a secret that is told once', () => {
  it.each([
    ['in the answer itself', toldOnce(aText()), 'x', true],
    ['a member', key, { id: '1', secret: 'x' }, true],
    ['a member that is nothing', key, { id: '1', secret: null }, false],
    ['deeper', anObject({ made: orNull(key) }), { made: { id: '1', secret: 'x' } }, true],
    ['deeper, and nothing', anObject({ made: orNull(key) }), { made: null }, false],
    ['in a list', anObject({ keys: orNull(aList(key)) }), { keys: [{ id: '1', secret: null }, { secret: 'x' }] }, true],
    ['in an empty list', aList(key), [], false],
    ['nowhere', anObject({ id: aText() }), { id: '1' }, false],
  ])('%s', (_, shape, answer, is) => expect(tellsOnce(shape as Parameters<typeof tellsOnce>[0], answer)).toBe(is));
});
