// What the verbs of administration tell for an evidence pack: keys with their ages, people with their ways in, and the
// settings of merchants that matter for security. Members are listed one by one, so that a new one is not told by
// itself.

import type { AnswerTo } from '../../administration/administration.ts';
import { given } from '../administration-command.ts';
import type { Administrator } from '../administrator.ts';

type Ask = Administrator['ask'];

const DAY_MS = 24 * 60 * 60 * 1000;

/** More than anybody reads: somebody who signed in before them is told of as nobody. */
const MOST_AUDIT_PAGES = 100;

export function ageDays(moment: string, now: number): number {
  return Math.floor((now - Date.parse(moment)) / DAY_MS);
}

export async function keysEvidence(ask: Ask, installation: AnswerTo<'showInstallation'>, now: number) {
  const { dataKeys, digestKeys, currentDataKeyId } = await ask('showVault');
  const aged = <K extends { readonly createdAt: string }>(key: K) => ({ ...key, ageDays: ageDays(key.createdAt, now) });
  const networks = await ask('listNetworks');
  const merchants = (await ask('listKeys')).map(({ login, keyId, kind, state, validFrom, validUntil, operations }) => ({
    ...{ login, keyId, kind, state, validFrom, validUntil },
    // A key from before validity was kept has been valid since ever.
    ageDays: Date.parse(validFrom) === 0 ? null : ageDays(validFrom, now),
    operations: operations.length === 0 ? 'all' : operations,
  }));
  return {
    vault: {
      sealing: dataKeys.map((key) => ({ ...aged(key), isCurrent: key.dataKeyId === currentDataKeyId })),
      digests: digestKeys.map(aged),
    },
    merchants,
    certificates: installation.certificates,
    networks: networks.map(({ brand, address, ca, certificate }) => ({ brand, address, ca, certificate })),
  };
}

export async function peopleEvidence(ask: Ask) {
  const people = await ask('listPeople');
  const signedInAt = await lastSignIns(ask, new Set(people.map(({ name }) => name)));
  return {
    people: people.map(({ password, authenticator, passkeys, name, role, login, enabled, locked, ...person }) => ({
      ...{ name, role, merchant: login, enabled, locked, createdAt: person.createdAt, sessions: person.sessions },
      factors: { password, authenticator, passkeys },
      lastSignInAt: signedInAt.get(name) ?? null,
    })),
    tokens: (await ask('listTokens')).map(({ tokenId, person, label, scope, state, createdAt, endsAt, usedAt }) => ({
      ...{ tokenId, person, label, scope, state, createdAt, endsAt, usedAt },
    })),
  };
}

/** The audit chain has an entry for every sign-in; sessions are forgotten. */
async function lastSignIns(ask: Ask, names: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  let before: number | undefined;
  for (let page = 0; page < MOST_AUDIT_PAGES && found.size < names.size; page++) {
    const { entries } = await ask('listAudit', given({ before }));
    for (const { action, who, at } of entries) {
      if (action === 'signIn' && names.has(who) && !found.has(who)) found.set(who, at);
    }
    before = entries.at(-1)?.seq;
    if (before === undefined) break;
  }
  return found;
}

export async function settingsEvidence(ask: Ask, { settings, mode, localAddress }: AnswerTo<'showInstallation'>) {
  const merchants = (await ask('listMerchants')).map((one) => ({
    login: one.login,
    enabled: one.enabled,
    allowedAddresses: one.allowedAddresses,
    allowedCertificates: one.allowedCertificates,
    allowedOperations: one.allowedOperations,
    strictSigning: one.strictSigning,
  }));
  const endpoints = (await ask('listEndpoints')).map((one) => ({
    endpointId: one.endpointId,
    login: one.login,
    enabled: one.enabled,
    strictSigning: one.strictSigning,
    demandAmounts: one.demandAmounts,
    signedForms: one.signedForms,
    cardTesting: one.cardTesting,
    cardsPerNetwork: one.cardsPerNetwork,
    cardsPerEmail: one.cardsPerEmail,
    formTries: one.formTries,
    threeDSecure: one.threeDSecure,
    frameAncestors: one.frameAncestors,
    sandbox: one.sandbox,
  }));
  // Of a stopped gateway nothing is known but what this command was told.
  const knownFrom = localAddress === null ? 'options of the command' : 'the running gateway';
  return { mode, knownFrom, installation: settings, merchants, endpoints };
}
