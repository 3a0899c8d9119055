// Everything merchants do: what the interface has, all of it.

import { formStories } from './forms.ts';
import { movingMoneyStories } from './moving-money.ts';
import { orderStories } from './orders.ts';
import { storedCardStories } from './stored-cards.ts';
import type { Story, StoryParts } from './story.ts';
import { threeDSecureStories } from './three-d-secure.ts';

export function allStories(parts: StoryParts): readonly Story[] {
  return [
    ...orderStories(parts),
    ...storedCardStories(parts),
    ...movingMoneyStories(parts),
    ...threeDSecureStories(parts),
    ...formStories(parts),
  ];
}
