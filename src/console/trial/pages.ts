// The page on which endpoints are tried.

import type { ConsolePage } from '../page.ts';
import { trialPage } from './trial.ts';

export const trialPages: readonly ConsolePage[] = [trialPage];
