// The part of a running sandbox that verbs play with; there is none in production.

import type { Parts, SandboxOffice } from '../parts.ts';
import { InvalidInput } from '../verb/invalid-input.ts';

export function sandboxOf({ mode, sandbox }: Parts<'mode' | 'sandbox'>): SandboxOffice {
  if (mode === 'sandbox' && sandbox) return sandbox;
  throw new InvalidInput('this is only in a sandbox that runs');
}
