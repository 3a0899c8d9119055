// The landing page of a sandbox, filled with what this gateway has.

import { randomUUID } from 'node:crypto';
import { aheadText } from '../../domain/time/clock-ahead.ts';
import type { Page, ServesPage } from '../../http/http-server.ts';
import { demo, demoIn, demoOutcomes } from '../../processing/node/demo.ts';
import type { LiveConfiguration } from '../../processing/node/live-configuration.ts';
import { DEMO_ADMINISTRATOR } from '../../processing/people/first-administrator.ts';
import { databasePlace } from '../../storage/connection/database-place.ts';
import { PACKAGE_VERSION } from '../../storage/connection/package-root.ts';
import { TEST_CARDS } from '../../threeds/index.ts';
import { firstPayment } from '../../web/demo/first-payment.ts';
import type { LandingAssets } from '../../web/demo/landing-page.ts';
import { landingPage } from '../../web/demo/landing-page.ts';
import type { Assets } from '../../web/design/assets.ts';
import type { PartOptions } from '../part-options.ts';
import { adminOriginOf } from '../people.ts';
import type { WhyNotReady } from '../readiness.ts';
import { servesDocs } from '../settings.ts';

type LandingParts = {
  readonly assets: Assets & LandingAssets;
  readonly configuration: LiveConfiguration;
  readonly whyNotReady: WhyNotReady;
};

const CARDS = ['frictionless', 'challenge', 'attempt', 'failed', 'rejected', 'unavailable'] as const;
const ORDER_CHARACTERS = 8;

export function servesLanding({ settings, addresses, clock }: PartOptions, parts: LandingParts): ServesPage {
  const { assets, configuration, whyNotReady } = parts;
  return async (): Promise<Page> =>
    landingPage(assets, addresses.basePath, {
      version: PACKAGE_VERSION,
      database: databasePlace(settings.databaseUrl),
      whyNotReady: await whyNotReady(),
      clockAhead: aheadText(clock.aheadMs ?? 0),
      baseUrl: addresses.base,
      adminUrl: adminOriginOf(settings, addresses.adminPort),
      administrator: DEMO_ADMINISTRATOR,
      hasDocumentation: servesDocs(settings),
      demo: landingDemo(configuration, addresses.base),
    });
}

function landingDemo(configuration: LiveConfiguration, baseUrl: string) {
  const { login, controlKey } = demo;
  const there = demoIn(configuration);
  const [shop] = there?.endpoints ?? [];
  if (!there || !shop) return undefined;
  const clientOrderId = `first-${randomUUID().slice(0, ORDER_CHARACTERS)}`;
  return {
    ...{ login, controlKey, ...there },
    payment: firstPayment({ baseUrl, login, controlKey, endpointId: shop.endpointId, clientOrderId }),
    outcomes: demoOutcomes,
    cards: CARDS.map((name) => [TEST_CARDS[name].number, TEST_CARDS[name].means] as const),
  };
}
