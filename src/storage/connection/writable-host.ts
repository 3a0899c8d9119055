// Which of several servers is the primary. A standby says of itself that it only reads; a promotion begins a new
// timeline, so among two that both take writes the one with the higher timeline was promoted last. The other is an old
// primary that nobody has stopped: what is written there is lost.

import type { DatabaseHost, WantedSession } from './database-address.ts';

/** What a server says of itself. */
export type HostState = { readonly isReadOnly: boolean; readonly timeline: number | null };

/** A server as it was seen, or why it was not. */
export type HostSighting = { readonly host: DatabaseHost } & (
  | { readonly state: HostState }
  | { readonly away: string }
);

/** What is asked of every server. The name of a segment of its log begins with its timeline, in hexadecimal. */
export const HOST_STATE = `
  SELECT current_setting('transaction_read_only') = 'on' OR pg_is_in_recovery() AS "isReadOnly",
         CASE WHEN NOT pg_is_in_recovery()
              THEN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END AS timeline`;

export type WantedHost = {
  readonly wants: WantedSession;
  /** The highest timeline that was seen so far. */
  readonly timeline: number;
};

/** Why a server must not be used; undefined when it may. */
export function whyUnfit({ isReadOnly, timeline }: HostState, wanted: WantedHost): string | undefined {
  if (wanted.wants === 'any') return undefined;
  if (isReadOnly) return 'only reads';
  return (timeline ?? 0) < wanted.timeline ? 'is a primary of before the last promotion' : undefined;
}

/** The server to use: of those that fit the one that was promoted last, then the one in use, then the first. */
export function chosenHost(
  sightings: readonly HostSighting[],
  wanted: WantedHost,
  inUse: DatabaseHost | undefined,
): { readonly host: DatabaseHost; readonly timeline: number } | undefined {
  const fitting = sightings.flatMap((sighting) =>
    'state' in sighting && whyUnfit(sighting.state, wanted) === undefined
      ? [{ host: sighting.host, timeline: wanted.wants === 'any' ? 0 : (sighting.state.timeline ?? 0) }]
      : [],
  );
  const latest = Math.max(...fitting.map(({ timeline }) => timeline));
  const best = fitting.filter(({ timeline }) => timeline === latest);
  return best.find(({ host }) => host === inUse) ?? best[0];
}

/** Every server with its reason, in one line. */
export function toldSightings(sightings: readonly HostSighting[], wanted: WantedHost): string {
  return sightings
    .map((one) => `${one.host.place} ${'away' in one ? `(${one.away})` : `(${whyUnfit(one.state, wanted) ?? 'fits'})`}`)
    .join(', ');
}
