// The chaos run carries the whole interface: whoever declares an operation tells a story of it.

import { expect, it } from 'vitest';
import { operations } from '../../../src/operations/index.ts';
import { allStories } from './index.ts';
import type { StoryParts } from './story.ts';

it('uses every operation of the interface in some story', () => {
  // Nothing is told here, so nobody is needed for it.
  const told = new Set(allStories({} as StoryParts).flatMap((story) => story.operations));
  expect(operations.map(({ name }) => name).filter((name) => !told.has(name))).toEqual([]);
});
