// Limits, the duplicate guard and block lists, as verbs of the administrator.

import type { AdministrationParts } from './administration.ts';
import type { Given } from './given.ts';
import {
  addBlock,
  listBlocks,
  listVelocityLimits,
  removeBlock,
  removeVelocityLimit,
  setDuplicateGuard,
  setVelocityLimit,
} from './screening-administration.ts';

export function screeningVerbs(parts: AdministrationParts) {
  return {
    setLimit: (given: Given) => setVelocityLimit(parts, given),
    removeLimit: (given: Given) => removeVelocityLimit(parts, given),
    listLimits: (given: Given) => listVelocityLimits(parts, given),
    setDuplicateGuard: (given: Given) => setDuplicateGuard(parts, given),
    addBlock: (given: Given) => addBlock(parts, given),
    removeBlock: (given: Given) => removeBlock(parts, given),
    listBlocks: (given: Given) => listBlocks(parts, given),
  };
}
