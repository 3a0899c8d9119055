import { describe, expect, it } from 'vitest';
import { chosenHost, type HostSighting, toldSightings, type WantedHost } from './writable-host.ts';

const A = { place: 'a:1', url: 'postgres://u:hunter2@a:1/n' };
const B = { place: 'b:2', url: 'postgres://u:hunter2@b:2/n' };
const primary = (host: typeof A, timeline: number): HostSighting => ({ host, state: { isReadOnly: false, timeline } });
const standby = (host: typeof A): HostSighting => ({ host, state: { isReadOnly: true, timeline: null } });
const gone = (host: typeof A): HostSighting => ({ host, away: 'connection refused' });
const writing = (timeline = 0): WantedHost => ({ wants: 'read-write', timeline });

describe('the choice of a server', () => {
  it.each([
    ['the primary, wherever it stands', [standby(A), primary(B, 1)], writing(), undefined, B],
    ['the one that answers', [gone(A), primary(B, 2)], writing(1), A, B],
    ['none while the standby is not promoted', [gone(A), standby(B)], writing(1), A, undefined],
    ['none when nobody answers', [gone(A), gone(B)], writing(), undefined, undefined],
    ['of two primaries the one that was promoted last', [primary(A, 1), primary(B, 2)], writing(1), A, B],
    ['no old primary, even when it alone answers', [primary(A, 1), gone(B)], writing(2), B, undefined],
    ['the one in use, of equals', [primary(A, 3), primary(B, 3)], writing(3), B, B],
    ['the first, of equals that are not in use', [primary(A, 3), primary(B, 3)], writing(), undefined, A],
    ['a standby where any server will do', [gone(A), standby(B)], { wants: 'any', timeline: 0 }, undefined, B],
    ['the one in use where any will do', [primary(A, 9), standby(B)], { wants: 'any', timeline: 0 }, B, B],
  ] as const)('is %s', (_, sightings, wanted, inUse, chosen) => {
    expect(chosenHost(sightings, wanted, inUse)?.host).toBe(chosen);
  });

  it('is explained without passwords', () => {
    const told = toldSightings([gone(A), standby(B), primary(A, 1)], writing(2));
    expect(told).toBe('a:1 (connection refused), b:2 (only reads), a:1 (is a primary of before the last promotion)');
  });
});
