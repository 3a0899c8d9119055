// Terminals, routes, and where a card would go.

import type { ConsolePage } from '../page.ts';
import { connectorPage } from './connector.ts';
import { networkPage, networksPage } from './networks.ts';
import { terminalPage } from './terminal.ts';
import { terminalsPage } from './terminals.ts';
import { wherePage } from './where.ts';

export const terminalPages: readonly ConsolePage[] = [
  terminalsPage,
  terminalPage,
  connectorPage,
  wherePage,
  networksPage,
  networkPage,
];
