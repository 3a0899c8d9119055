// Where the heads of the audit chain go, as the settings say.

import { readFile } from 'node:fs/promises';
import { Secret } from '../domain/secret.ts';
import { AuditHeads } from '../notifications/heads/audit-heads.ts';
import { headPlaceOf } from '../notifications/heads/head-place.ts';
import { auditStore } from '../storage/audit.ts';
import type { Database } from '../storage/database.ts';
import { OutageLog } from '../telemetry/outage-log.ts';
import type { PartOptions } from './part-options.ts';

export async function openAuditHeads({ settings, clock, log }: PartOptions, database: Database): Promise<AuditHeads> {
  const { auditHeads = [], auditHeadsKey } = settings;
  const key = auditHeadsKey === undefined ? undefined : new Secret((await readFile(auditHeadsKey, 'utf8')).trim());
  const places = auditHeads.map((given) => headPlaceOf(given, key));
  const outages = new Map(
    places.map(({ name }) => {
      const begins = 'the head of the audit chain could not be sent';
      const ends = 'the head of the audit chain is sent again';
      return [name, new OutageLog({ log, clock, begins, lasts: begins, ends })];
    }),
  );
  return new AuditHeads({
    clock,
    places,
    head: () => auditStore(database).head(),
    sent: (place) => outages.get(place)?.worked(),
    failed: (place, error) => outages.get(place)?.failed({ detail: place, error }),
  });
}
