import { describe, expect, it } from 'vitest';
import { openStages, openStatuses, stages, stagesBefore, stagesShownAs, unsentStages } from './stages.ts';

describe('stages', () => {
  it('that are open are those in which something must still happen', () => {
    expect(openStages).toEqual(stagesBefore('expire', 'end-authentication', 'send', 'inquire', 'reverse', 'person'));
    expect(openStatuses).toEqual(['processing', 'unknown']);
  });

  it('tell by their next step who is waited for', () => {
    expect(stagesBefore('inquire')).toEqual(['challenged', 'asking']);
    expect(stagesBefore('send', 'inquire', 'reverse')).toEqual(['sending', 'challenged', 'asking', 'undoing']);
    expect(stagesBefore('person')).toEqual(['stuck']);
  });

  it('are found by what is shown of them', () => {
    expect(stagesShownAs('unknown')).toEqual(['asking', 'undoing', 'stuck']);
    expect(stagesShownAs('filtered', 'error')).toEqual(['filtered', 'expired', 'abandoned', 'error']);
  });

  it('in which no bank was asked are neither approved nor asked about', () => {
    const asked = stagesBefore('send', 'inquire', 'reverse', 'person');
    expect(unsentStages.filter((stage) => asked.includes(stage) || stages[stage].status === 'approved')).toEqual([]);
  });
});
