// The change from one control key to the next, as steps: a new one, requests that come with it, and the end of the old.

import type { AnswerTo } from '../../administration/administration.ts';
import { type Html, html, type Piece } from '../../web/design/html.ts';
import type { Visit } from '../page.ts';
import { choiceField, formOf, typed } from '../pieces/forms.ts';
import { badge, live, moment, mono } from '../pieces/values.ts';

type ControlKey = AnswerTo<'listKeys'>[number];

const HOUR_MS = 60 * 60 * 1000;

/** How long an old key is taken beside the new one. */
const GRACES = [
  [String(24 * HOUR_MS), 'in a day'],
  [String(HOUR_MS), 'in an hour'],
  [String(7 * 24 * HOUR_MS), 'in a week'],
  ['0', 'now'],
] as const;

export function rotationGuide(visit: Visit, keys: readonly ControlKey[], at: string): Piece {
  const valid = keys.filter(({ kind, state }) => kind === 'control' && state === 'valid').sort(newestFirst);
  const [newest, ...older] = valid;
  const isStarted = newest !== undefined && older.length > 0;
  return html`<ol class="steps">
${step('Make a new key', isStarted, [
  html`<p>${newest === undefined ? 'There is no valid control key yet.' : 'The old key stays valid: nothing stops while you change.'}</p>`,
  isStarted && html`<p>The newest key is ${mono(newest.keyId)}, since ${moment(newest.validFrom)}.</p>`,
  visit.may('addKey')
    ? formOf(visit, {
        action: `${at}/new`,
        submit: isStarted ? 'Make yet another key' : 'Make a new key',
        kind: isStarted ? 'quiet' : 'usual',
      })
    : html`<p>An administrator can make one.</p>`,
])}
${step('Put it into the shop, and see that requests come with it', isStarted && isUsed(newest), isStarted && usePiece(newest, older))}
${step('Let the old key end', false, isStarted && older.map((old) => endPiece(visit, newest, old, at)))}
</ol>`;
}

function newestFirst(one: ControlKey, other: ControlKey): number {
  return Date.parse(other.validFrom) - Date.parse(one.validFrom);
}

const isUsed = ({ use }: ControlKey) => (use?.count ?? 0) > 0;

function step(title: string, isDone: boolean, body: Piece): Html {
  return html`<li><h3>${title} ${isDone && badge('done', 'good')}</h3>${body || html`<p class="hint">After the step before.</p>`}</li>`;
}

function usePiece(newest: ControlKey, older: readonly ControlKey[]): Piece {
  const seen = isUsed(newest)
    ? html`<p>Requests come with the new key ${mono(newest.keyId)}: ${newest.use?.count} so far, the last at ${moment(newest.use?.lastAt)}.</p>`
    : html`<p>No request has come with the new key ${mono(newest.keyId)} yet. Send one, such as a STATUS; this line changes by itself.</p>`;
  const before = older.map(({ keyId, use }) =>
    use?.lastAt
      ? html`<p>The last request with the old key ${mono(keyId)} came at ${moment(use.lastAt)}.</p>`
      : html`<p>No request has come with the old key ${mono(keyId)} since this node started.</p>`,
  );
  const callbacks = html`<p class="hint">Callbacks to the shop carry the control of the newest key from the moment it is made, so the shop should check them with both.</p>`;
  return live('use-now', 5, [seen, before, callbacks]);
}

function endPiece(visit: Visit, newest: ControlKey, old: ControlKey, at: string): Piece {
  if (old.validUntil !== null) return html`<p>The old key ${mono(old.keyId)} ends at ${moment(old.validUntil)}.</p>`;
  if (!visit.may('retireKey')) return html`<p>An administrator can let ${mono(old.keyId)} end.</p>`;
  const warning =
    !isUsed(newest) &&
    html`<p class="notice bad">No request has come with the new key yet: the shop may not have it.</p>`;
  const confirm = isUsed(newest)
    ? `Let ${old.keyId} end? Requests signed with it are refused from then on.`
    : `No request has come with the new key yet. Let ${old.keyId} end all the same?`;
  const body = html`<input type="hidden" name="keyId" value="${old.keyId}">${retireOptions(visit, old.keyId)}`;
  const options = { action: `${at}/retire`, submit: `Let ${old.keyId} end`, kind: 'bad', confirm } as const;
  return [warning, formOf(visit, options, body)];
}

export function retireOptions(visit: Visit, of: string): Html {
  return choiceField({ name: 'afterMs', label: 'When', value: typed(visit, 'retire', 'afterMs'), of }, GRACES);
}
