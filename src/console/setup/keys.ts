// The keys of a merchant: which there are and whether requests come with them, new ones, and the change from one to the
// next, step by step.

import type { AnswerTo } from '../../administration/administration.ts';
import { html, type Piece } from '../../web/design/html.ts';
import { definePage, type Visit } from '../page.ts';
import { foldedForm, textArea, textField, typed, typedIn } from '../pieces/forms.ts';
import { merchantsAbove } from '../pieces/reader.ts';
import { tableOf } from '../pieces/tables.ts';
import { badge, live, moment, mono, panel } from '../pieces/values.ts';
import { retireOptions, rotationGuide } from './key-rotation.ts';
import { shownOnce } from './shown-once.ts';

type MerchantKey = AnswerTo<'listKeys'>[number];

const pageOf = (login: string) => `/console/merchants/${encodeURIComponent(login)}/keys`;

export const keysPage = definePage({
  path: 'merchants/:login/keys',
  needs: 'listKeys',
  sayings: {
    retired: 'The key ends as you said.',
    limited: 'What the key may sign is changed.',
    rsa: 'The public key is added.',
  },
  async show(visit) {
    const { login = '' } = visit.params;
    const keys = await visit.ask('listKeys', { login });
    const mayChange = visit.may('addKey');
    return {
      title: `Keys of ${login}`,
      above: [merchantsAbove(visit), [`/console/merchants/${encodeURIComponent(login)}`, login]],
      body: html`${live('keys-now', 10, keyTable(keys))}
${panel('rotation', 'Change the control key, step by step', rotationGuide(visit, keys, pageOf(login)), { wide: true })}
${mayChange && panel('more', 'More', [rsaForm(visit, login), limitForm(visit, login), retireAnyForm(visit, login)])}`,
    };
  },
  forms: {
    async new(visit) {
      const { login = '' } = visit.params;
      const key = await visit.ask('addKey', { login, kind: 'control' });
      const next = 'Then put it into the shop, and look at the next step to see that requests come with it.';
      return {
        title: 'A new control key',
        above: [[pageOf(login), `Keys of ${login}`]],
        body: html`${key.controlKey !== null && shownOnce(`Control key ${key.keyId}`, key.controlKey, next)}
<p><a class="button small" href="${pageOf(login)}#rotation">Go on to the next step</a></p>`,
      };
    },
    async rsa(visit) {
      const { login = '' } = visit.params;
      await visit.ask('addKey', { login, kind: 'rsa', publicKey: visit.given.publicKey?.trim() ?? '' });
      return { to: pageOf(login), said: 'rsa' };
    },
    async limit(visit) {
      const { login = '' } = visit.params;
      const wanted = (typedIn(visit, 'operations') ?? 'all').split(',').map((one) => one.trim());
      await visit.ask('setKey', { login, keyId: visit.given.keyId ?? '', operations: wanted });
      return { to: pageOf(login), said: 'limited' };
    },
    async retire(visit) {
      const { login = '' } = visit.params;
      const afterMs = Number(typedIn(visit, 'afterMs') ?? 0);
      const at = afterMs > 0 ? { at: new Date(visit.now + afterMs).toISOString() } : {};
      await visit.ask('retireKey', { login, keyId: visit.given.keyId ?? '', ...at });
      return { to: pageOf(login), said: 'retired' };
    },
  },
});

function keyTable(keys: readonly MerchantKey[]): Piece {
  const [counted] = keys;
  return html`${tableOf<MerchantKey>({
    label: 'List of keys',
    columns: {
      Key: ({ keyId }) => mono(keyId),
      Kind: ({ kind }) => (kind === 'rsa' ? 'RSA public key' : 'control key'),
      State: ({ state }) => badge(state, STATE_TONES[state]),
      From: ({ validFrom }) => (Date.parse(validFrom) === 0 ? 'the beginning' : moment(validFrom)),
      Until: ({ validUntil }) => moment(validUntil) ?? 'further notice',
      Signs: ({ operations }) => operations.join(', ') || 'everything',
      'Last request': ({ use }) => moment(use?.lastAt) ?? 'none seen',
      Requests: { of: ({ use }) => use?.count ?? 0, kind: 'number' },
    },
    rows: keys,
    otherwise: 'Keys would be here: what the merchant signs its requests with. Make the first one.',
  })}
${counted !== undefined && counted.use !== null && html`<p class="hint">Requests are counted by this node of the gateway, since ${moment(counted.use.since)}.</p>`}`;
}

const STATE_TONES = { valid: 'good', 'not yet valid': 'waiting', ended: 'plain' } as const;

function rsaForm(visit: Visit, login: string): Piece {
  const field = textArea({
    name: 'publicKey',
    label: 'Public key',
    value: typed(visit, 'rsa', 'publicKey'),
    required: true,
    hint: 'In PEM, "BEGIN PUBLIC KEY" or "BEGIN RSA PUBLIC KEY", 2048 bits or more. Never a private key.',
  });
  return foldedForm(visit, 'Add an RSA public key', { action: `${pageOf(login)}/rsa`, submit: 'Add it' }, field);
}

function limitForm(visit: Visit, login: string): Piece {
  const fields = html`${textField({ name: 'keyId', label: 'Key', of: 'limit', value: typed(visit, 'limit', 'keyId'), required: true })}
${textField({ name: 'operations', label: 'Operations it may sign', value: typed(visit, 'limit', 'operations'), hint: 'Such as SALE, STATUS; empty for all.' })}`;
  const options = { action: `${pageOf(login)}/limit`, submit: 'Change it' };
  return foldedForm(visit, 'Say what a key may sign', options, fields);
}

function retireAnyForm(visit: Visit, login: string): Piece {
  const fields = html`${textField({ name: 'keyId', label: 'Key', of: 'retire', value: typed(visit, 'retire', 'keyId'), required: true })}
${retireOptions(visit, 'any')}`;
  const options = { action: `${pageOf(login)}/retire`, submit: 'Let it end', kind: 'bad' } as const;
  const confirm = 'Requests that are signed with this key are refused from then on. Let it end?';
  return foldedForm(visit, 'Let a key end', { ...options, confirm }, fields);
}
