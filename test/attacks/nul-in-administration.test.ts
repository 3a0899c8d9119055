// The attack: a NUL character in a value that an administrator gives. No database takes it, so a verb that let it pass
// would fail inside, after it had begun.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { verbs } from '../../src/administration/index.ts';
import { describeGateway } from '../harness.ts';

describeGateway('a NUL character in a value of administration', {}, (gateway) => {
  async function ask(verb: string, given: object) {
    const { url, token } = JSON.parse(await readFile(join(gateway.dataFolder, 'admin.json'), 'utf8'));
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}/admin/api/${verb}`, { method: 'POST', headers, body: JSON.stringify(given) });
    return { status: response.status, body: (await response.json()) as { error?: string } };
  }

  const inputs = verbs.flatMap(({ name, given }) => Object.keys(given).map((input) => [name, input] as const));

  it.each([
    ['text', 'sho\0p'],
    ['list', ['sho\0p']],
    ['pairs', { 'na\0me': 'x' }],
  ] as const)('is a 400 that names the input, for every input of every verb, given as %s', async (_how, value) => {
    const wrong: string[] = [];
    for (const [verb, input] of inputs) {
      const { status, body } = await ask(verb, { [input]: value });
      const isNamed = body.error?.includes(`${input}: the character NUL (U+0000) is not taken`);
      if (status !== 400 || !isNamed) wrong.push(`${verb} ${input}: ${status} ${body.error}`);
    }
    expect(wrong).toEqual([]);
  });

  it('changes nothing, and the next verb is served', async () => {
    const { status } = await ask('addMerchant', { login: 'shop', name: 'Sho\0p' });
    expect(status).toBe(400);
    const { status: listed, body } = await ask('listMerchants', {});
    expect(listed).toBe(200);
    expect(JSON.stringify(body)).not.toContain('"shop"');
  });
});
