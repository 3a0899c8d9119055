// How the payment pages of an endpoint look: colours, logo, name and texts, beside a preview that follows what is
// typed.

import type { AnswerTo } from '../../administration/administration.ts';
import { LANGUAGES, LOOK_TEXTS } from '../../domain/merchant/look.ts';
import { html, type Piece } from '../../web/design/html.ts';
import { definePage, type Visit } from '../page.ts';
import { foldedForm, formOf, textField, typed } from '../pieces/forms.ts';
import { merchantsAbove } from '../pieces/reader.ts';
import { panel } from '../pieces/values.ts';
import { verbFields, verbGiven } from '../pieces/verb-form.ts';
import { COLOURED_PARTS, lookCss, previewColours } from './look-colours.ts';
import { lookPreview } from './look-preview.ts';

type LookView = AnswerTo<'showLook'>;

const SETTINGS = ['name', ...COLOURED_PARTS];

const lookAddress = (endpointId: number) => `/console/endpoints/${endpointId}/look`;

export const lookPage = definePage({
  path: 'endpoints/:endpointId/look',
  needs: 'showLook',
  sayings: {
    saved: 'The look is saved. Payers see it at once.',
    same: 'Nothing was different, so nothing was changed.',
  },
  async show(visit) {
    const endpointId = Number(visit.params.endpointId);
    const look = await visit.ask('showLook', { endpointId });
    const { login } = await visit.ask('showEndpoint', { endpointId });
    const merchant = await visit.ask('showMerchant', { login });
    return {
      title: `How the pages of endpoint ${endpointId} look`,
      above: [
        merchantsAbove(visit),
        [`/console/merchants/${encodeURIComponent(login)}`, login],
        [`/console/endpoints/${endpointId}`, `Endpoint ${endpointId}`],
      ],
      body: html`<link rel="stylesheet" href="${lookAddress(endpointId)}/colours">
<div class="look-page">
${panel('form', 'Look', visit.may('setLook') ? [saveForm(visit, look), logoForm(visit, look)] : readOnly(look))}
${panel('preview', 'Preview', lookPreview(look, merchant.name))}
</div>`,
    };
  },
  forms: {
    async save(visit) {
      const endpointId = Number(visit.params.endpointId);
      const now = lookNow(await visit.ask('showLook', { endpointId }));
      const changes = verbGiven(visit, 'setLook', { now, only: SETTINGS });
      const texts = LOOK_TEXTS.flatMap((which) => {
        const text = visit.given[which]?.trim();
        return text === undefined || text === now[which] ? [] : [[which, text === '' ? 'none' : text] as const];
      });
      const logo = visit.given.logo ? { logo: visit.given.logo } : {};
      const all = { ...changes, ...Object.fromEntries(texts), ...logo };
      if (Object.keys(all).length === 0) return { to: lookAddress(endpointId), said: 'same' };
      await visit.ask('setLook', { endpointId, ...all });
      return { to: lookAddress(endpointId), said: 'saved' };
    },
    async words(visit) {
      const endpointId = Number(visit.params.endpointId);
      await visit.ask('setLook', { endpointId, ...verbGiven(visit, 'setLook', { only: ['language', ...LOOK_TEXTS] }) });
      return { to: lookAddress(endpointId), said: 'saved' };
    },
    async bare(visit) {
      const endpointId = Number(visit.params.endpointId);
      await visit.ask('setLook', { endpointId, logo: 'none' });
      return { to: lookAddress(endpointId), said: 'saved' };
    },
  },
  data: {
    /** The colours of a look that is being chosen, and what is wrong with them. */
    async preview(visit) {
      return previewColours((part) => visit.query.get(part) ?? '');
    },
  },
});

/** The colours as they are saved, for the preview of those whose browser runs no scripts. */
export const lookColoursPage = definePage({
  path: 'endpoints/:endpointId/look/colours',
  needs: 'showLook',
  async show(visit) {
    const look = await visit.ask('showLook', { endpointId: Number(visit.params.endpointId) });
    return { status: 200, headers: { 'Content-Type': 'text/css; charset=utf-8' }, body: lookCss(lookNow(look)) };
  },
});

export const lookLogoPage = definePage({
  path: 'endpoints/:endpointId/look/logo',
  needs: 'readLogo',
  async show(visit) {
    const logo = await visit.ask('readLogo', { endpointId: Number(visit.params.endpointId) });
    if (logo === null) return { status: 404, headers: { 'Content-Type': 'text/plain' }, body: 'There is no logo.' };
    const headers = { 'Content-Type': logo.type, 'Content-Security-Policy': "default-src 'none'; sandbox" };
    return { status: 200, headers, body: Buffer.from(logo.picture, 'base64') };
  },
});

/** By the names of inputs; texts are those for all languages. */
function lookNow(look: LookView): Record<string, string> {
  const { name, accent, accentDark, background, texts } = look;
  const now = { name, accent, accentDark, background, intro: texts?.intro?.all, help: texts?.help?.all };
  return Object.fromEntries(Object.entries(now).map(([part, value]) => [part, value ?? '']));
}

function saveForm(visit: Visit, look: LookView): Piece {
  const now = lookNow(look);
  const fields = verbFields(visit, 'setLook', { form: 'save', now, only: SETTINGS });
  const text = (which: string) => typed(visit, 'save', which, now[which]);
  const body = html`${fields}
${textField({ name: 'intro', label: 'A line above the form', value: text('intro'), of: 'save' })}
${textField({ name: 'help', label: 'A line below the form: whom to ask', value: text('help'), of: 'save' })}
${textField({ name: 'logo', label: 'Logo', type: 'file', of: 'save', hint: 'A PNG, JPEG or WebP picture of at most 40 KiB.' })}
<div class="checked" id="look-faults" aria-live="polite"></div>`;
  const action = `${lookAddress(look.endpointId)}/save`;
  return formOf(visit, { action, submit: 'Save the look', files: true }, body);
}

function logoForm(visit: Visit, look: LookView): Piece {
  const at = lookAddress(look.endpointId);
  const labels = { language: 'Language', intro: 'Above the form', help: 'Below the form' };
  const only = ['language', ...LOOK_TEXTS];
  const told = LANGUAGES.flatMap((language) =>
    LOOK_TEXTS.flatMap((which) => {
      const text = look.texts?.[which]?.[language];
      return text === undefined ? [] : [html`<li lang="${language}">${language}: ${text}</li>`];
    }),
  );
  return html`${look.logo && formOf(visit, { action: `${at}/bare`, submit: 'Remove the logo', kind: 'quiet' })}
${foldedForm(visit, 'Other texts for one language', { action: `${at}/words`, submit: 'Save the texts' }, [
  told.length > 0 && html`<ul>${told}</ul>`,
  verbFields(visit, 'setLook', { form: 'words', only, labels }),
])}`;
}

function readOnly(look: LookView): Piece {
  const set = Object.entries(lookNow(look)).filter(([, value]) => value !== '');
  if (set.length === 0) return html`<p>The pages look as they come. Administrators can change that.</p>`;
  return html`<ul>${set.map(([part, value]) => html`<li>${part}: ${value}</li>`)}</ul>`;
}
