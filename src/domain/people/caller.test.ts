import { describe, expect, it } from 'vitest';
import { type AdminCaller, askerOf, callerText, denialOf, NEEDS_SECOND_FACTOR, whoIn } from './caller.ts';
import type { ScopedVerb } from './token-scope.ts';

const viewer = { name: 'vic', role: 'viewer', enabled: true } as const;
const administrator = { name: 'ann', role: 'administrator', enabled: true } as const;
const local: AdminCaller = { kind: 'local', who: 'local root' };
const session: AdminCaller = { kind: 'session', person: viewer, sessionId: '12ab', reach: 'whole' };
const setup: AdminCaller = { kind: 'session', person: administrator, sessionId: '34cd', reach: 'setup' };
const token: AdminCaller = { kind: 'token', person: administrator, tokenId: 'tnd_1', scope: { verbs: ['listOrders'] } };

const shopkeeper = { name: 'sue', role: 'administrator', enabled: true, merchantId: 7 } as const;
const ofMerchant: AdminCaller = { kind: 'session', person: shopkeeper, sessionId: '56ef', reach: 'whole' };

const look: ScopedVerb = { name: 'listMerchants', role: 'viewer', conduct: 'read' };
const lookAtOwn: ScopedVerb = { ...look, merchants: 'own' };
const change: ScopedVerb = { name: 'setMerchant', role: 'administrator', conduct: 'change' };
const add: ScopedVerb = { name: 'addPerson', role: 'administrator', conduct: 'change', inPerson: true };
const write: ScopedVerb = { name: 'writeHeap', role: 'administrator', conduct: 'outside', localOnly: true };
const whole: AdminCaller = { kind: 'session', person: administrator, sessionId: '56ef', reach: 'whole' };
const wide: AdminCaller = { kind: 'token', person: administrator, tokenId: 'tnd_2', scope: { verbs: ['writeHeap'] } };

describe('who asks', () => {
  it.each([
    [local, 'local root', undefined],
    [session, 'vic by session 12ab', 'vic'],
    [token, 'ann by token tnd_1', 'ann'],
  ])('is named by what was checked: %j', (caller, text, asker) => {
    expect(callerText(caller)).toBe(text);
    if (caller.kind !== 'local') expect(whoIn(text)).toBe(caller.person.name);
    expect(askerOf(caller)).toBe(asker);
  });

  it.each<[string, AdminCaller, ScopedVerb, string | undefined]>([
    ['the local command line may do everything', local, add, undefined],
    ['a viewer may look', session, look, undefined],
    ['a viewer may not change', session, change, 'this needs an administrator; vic is a viewer'],
    ['one factor lets nobody work', setup, look, NEEDS_SECOND_FACTOR],
    ['a token is for what it says', token, look, 'token tnd_1 is not meant for this verb'],
    ['people of a merchant may use what is open to them', ofMerchant, lookAtOwn, undefined],
    ['and nothing else', ofMerchant, look, 'this is for people who run the gateway; sue belongs to a merchant'],
    ['the local command line may look into memory', local, write, undefined],
    ['an administrator from afar may not', whole, write, "this is done by a command on the gateway's own machine"],
    ['a token for it may not either', wide, write, "this is done by a command on the gateway's own machine"],
    ['a token makes nobody', token, add, 'this is done by somebody who signed in, not with a token'],
  ])('%s', (_, caller, verb, denial) => {
    expect(denialOf(caller, verb)).toBe(denial);
  });
});
