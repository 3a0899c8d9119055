// Fills the database of a sandbox with made-up orders, while no gateway is needed.

import { systemClock } from '../domain/clock.ts';
import { monthsBetween } from '../domain/time/calendar-months.ts';
import { SPREAD_MS, seedOrders } from '../processing/node/seeding.ts';
import { makeMonths } from '../storage/history/make-months.ts';
import { idCounter } from '../storage/id-counter.ts';
import { seedStore } from '../storage/orders/seeded-orders.ts';
import { ensureDemoIn } from './sandbox/demo-merchant.ts';
import type { Settings } from './settings.ts';
import { openStore } from './store.ts';

export async function seedStoreWith(settings: Settings, count: number, told: (done: number) => void): Promise<void> {
  const store = await openStore(settings);
  try {
    const { database, configuration, vault } = store;
    // A start makes the demo merchant only where there is no merchant yet.
    await ensureDemoIn(store, settings, systemClock.now());
    const months = monthsBetween(systemClock.now() - SPREAD_MS, systemClock.now());
    await makeMonths(database, { months, isPatient: true });
    const seeds = seedStore(database);
    const takeIds = (ids: number) => idCounter(database).take(ids);
    await seedOrders({ clock: systemClock, configuration, vault, seeds, takeIds }, count, told);
    // The planner has to know how many there are now.
    await database.script('analyze');
  } finally {
    await store.close();
  }
}
