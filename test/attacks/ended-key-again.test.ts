// What controls stood for is forgotten once their key has ended. Whoever recorded them waits until an operator, or a
// shop that restored an old configuration, brings the key back, and then has them read in another way.

import { beforeAll, expect, it } from 'vitest';
import { describeGateway } from '../harness.ts';
import { askBy, localNote } from '../scenarios/person-browser.ts';

const KEY = 'A-CONTROL-KEY-THAT-WAS-RECORDED';
const OTHER_KEY = 'ANOTHER-CONTROL-KEY-OF-THIS-SHOP';

describeGateway('a control key that has ended', {}, (gateway) => {
  async function ask(verb: string, given: object) {
    const { url, token } = await localNote(gateway.dataFolder);
    return (await askBy(url, token, verb, given)).body;
  }
  const add = (controlKey: string, login = 'shop') => ask('addKey', { login, kind: 'control', controlKey });

  beforeAll(async () => {
    await ask('addMerchant', { login: 'shop' });
    await ask('addMerchant', { login: 'neighbour' });
    const { answer } = await add(KEY);
    await ask('retireKey', { login: 'shop', keyId: answer.keyId });
  });

  it('is not taken again, also not for a later day, and is not repeated', async () => {
    const later = { validFrom: new Date(gateway.clock.now() + 86_400_000).toISOString() };
    for (const given of [{}, later]) {
      const { error } = await ask('addKey', { login: 'shop', kind: 'control', controlKey: KEY, ...given });
      expect(error).toMatch(/^merchant "shop" has this key already, as control-\w+, which has ended; a key that has/);
      expect(error).not.toContain(KEY);
    }
  });

  it('is known after the key that seals it was rotated', async () => {
    await ask('rotateDataKey', {});
    expect((await add(KEY)).error).toContain('which has ended');
  });

  it('stands in the way of no other key, and of no other merchant', async () => {
    expect((await add(OTHER_KEY)).answer).toMatchObject({ state: 'valid' });
    expect((await add(OTHER_KEY)).error).toMatch(/^merchant "shop" has this key already, as control-\w+$/);
    expect((await add(KEY, 'neighbour')).answer).toMatchObject({ state: 'valid' });
  });
});
