import { format, inspect } from 'node:util';
import { expect, it } from 'vitest';
import { Secret } from './secret.ts';

it('shows nothing, however it is printed', () => {
  const secret = new Secret('4111111111111111');
  const shown = [
    `${secret}`,
    String(secret),
    JSON.stringify({ secret }),
    inspect({ deep: { secret } }, { depth: 9, showHidden: true }),
    format('%s %o %j', secret, secret, secret),
    Object.keys(secret).join(),
    JSON.stringify({ ...secret }),
  ];
  for (const text of shown) expect(text).not.toContain('4111');
  expect(secret.reveal()).toBe('4111111111111111');
});
