// Limits: how often and how much the same payer may pay at an endpoint, and the guard against the same payment twice.

import type { AnswerTo } from '../../administration/administration.ts';
import { html, type Piece } from '../../web/design/html.ts';
import { definePage, type Visit } from '../page.ts';
import { choiceField, filled, foldedForm, formOf, textField, typed, typedIn } from '../pieces/forms.ts';
import { endpointLink, merchantLink } from '../pieces/links.ts';
import { isOfMerchant } from '../pieces/reader.ts';
import { tableOf } from '../pieces/tables.ts';
import { verbFields, verbGiven } from '../pieces/verb-form.ts';

type EndpointLimits = AnswerTo<'listLimits'>;

export const limitsPage = definePage({
  path: 'limits',
  needs: 'listLimits',
  menu: { section: 'Set-up', name: 'Limits' },
  sayings: {
    set: 'The limit is set.',
    removed: 'The limit is removed.',
    guard: 'The guard against the same payment twice is set.',
    unguarded: 'There is no guard against the same payment twice any more.',
  },
  async show(visit) {
    const limits = await visit.ask('listLimits');
    return {
      title: 'Limits',
      body: html`<p class="intro">A payment beyond a limit is filtered before a bank is asked.</p>
${visit.may('setLimit') && [setForm(visit), guardForm(visit)]}
${limitTable(limits, { visit, withMerchant: !isOfMerchant(visit) })}`,
    };
  },
  forms: {
    async set(visit) {
      await visit.ask('setLimit', verbGiven(visit, 'setLimit'));
      return { to: '/console/limits', said: 'set' };
    },
    async remove(visit) {
      const { kind, window, endpointId } = filled(visit.given, ['kind', 'window', 'endpointId']);
      await visit.ask('removeLimit', { endpointId: Number(endpointId), kind, window });
      return { to: '/console/limits', said: 'removed' };
    },
    async guard(visit) {
      const window = typedIn(visit, 'guardWindow') ?? 'none';
      await visit.ask('setDuplicateGuard', { endpointId: Number(typedIn(visit, 'guardEndpoint')), window });
      return { to: '/console/limits', said: window === 'none' ? 'unguarded' : 'guard' };
    },
  },
});

const COUNTED = { card: 'the same card', email: 'the same e-mail address', address: 'the same network address' };

function setForm(visit: Visit): Piece {
  const kinds = Object.entries(COUNTED);
  const fields = verbFields(visit, 'setLimit', {
    form: 'set',
    without: ['kind'],
    labels: { endpointId: 'Endpoint', window: 'Within', count: 'At most so many payments', amount: 'At most so much' },
  });
  const kind = choiceField(
    { name: 'kind', label: 'For', value: typed(visit, 'set', 'kind', 'card'), of: 'set', hint: 'What is counted.' },
    kinds,
  );
  const options = { action: '/console/limits/set', submit: 'Set the limit' };
  return foldedForm(visit, 'Set a limit', options, html`<div class="field-grid">${kind}${fields}</div>`);
}

function guardForm(visit: Visit): Piece {
  const value = (name: string) => typed(visit, 'guard', name);
  const body = html`<div class="field-grid">
${textField({ name: 'guardEndpoint', label: 'Endpoint', value: value('guardEndpoint'), required: true, numeric: true })}
${textField({ name: 'guardWindow', label: 'For how long', value: value('guardWindow'), hint: 'Such as 90s, 30m or 24h; empty takes the guard away.' })}
</div>`;
  const options = { action: '/console/limits/guard', submit: 'Set the guard' };
  return foldedForm(visit, 'Stop the same card from paying the same amount twice', options, body);
}

type LimitLine = {
  readonly endpointId: number;
  readonly login: string;
  readonly what: string;
  readonly window: string;
  readonly most: string;
  readonly kind: string | undefined;
};

function linesOf(limits: EndpointLimits): LimitLine[] {
  return limits.flatMap(({ endpointId, login, currency, limits: own, duplicateWindow }) => {
    const lines: LimitLine[] = own.map(({ kind, window, count, amount }) => {
      const most = [count !== null && `${count} payments`, amount !== null && `${amount} ${currency}`];
      return { endpointId, login, window, kind, what: COUNTED[kind], most: most.filter((one) => one).join(' and ') };
    });
    if (duplicateWindow === null) return lines;
    const what = 'the same card and amount';
    return [...lines, { endpointId, login, window: duplicateWindow, kind: undefined, what, most: '1 payment' }];
  });
}

type LimitTableOptions = { readonly visit?: Visit; readonly withMerchant?: boolean };

export function limitTable(limits: EndpointLimits, { visit, withMerchant = false }: LimitTableOptions = {}): Piece {
  return tableOf<LimitLine>({
    label: 'List of limits',
    columns: {
      Endpoint: endpointLink,
      ...(withMerchant ? { Merchant: merchantLink } : {}),
      For: ({ what }) => what,
      Within: ({ window }) => window,
      'At most': ({ most }) => most,
      ...(visit?.may('removeLimit')
        ? { Remove: { of: (line: LimitLine) => removeForm(visit, line), kind: 'actions' as const } }
        : {}),
    },
    rows: linesOf(limits),
    otherwise: 'There are no limits. One says how often and how much the same payer may pay at an endpoint.',
  });
}

function removeForm(visit: Visit, { endpointId, kind, window, what }: LimitLine): Piece {
  const isGuard = kind === undefined;
  const options = {
    action: `/console/limits/${isGuard ? 'guard' : 'remove'}`,
    submit: 'Remove',
    kind: 'quiet',
    confirm: `Remove the limit for ${what} at endpoint ${endpointId}?`,
  } as const;
  const hidden = isGuard
    ? html`<input type="hidden" name="guardEndpoint" value="${endpointId}">`
    : html`<input type="hidden" name="endpointId" value="${endpointId}"><input type="hidden" name="kind" value="${kind}">
<input type="hidden" name="window" value="${window}">`;
  return formOf(visit, options, hidden);
}
