// Verification: holds the database to everything that must be true of it.

import { html } from '../../web/design/html.ts';
import { definePage } from '../page.ts';
import { filled, formOf, textField, typed } from '../pieces/forms.ts';
import { panel } from '../pieces/values.ts';
import { RUN_SAYINGS, runPanel, stopForm } from './run-panel.ts';

const AT = '/console/books/verify';

export const verifyPage = definePage({
  path: 'books/verify',
  needs: 'listRuns',
  menu: { section: 'Books', name: 'Verify' },
  sayings: RUN_SAYINGS,
  async show(visit) {
    const run = await runPanel(visit, {
      kind: 'verify',
      at: AT,
      title: 'The last run',
      otherwise: 'Nothing was verified at this node yet. What is found will be listed here.',
    });
    return {
      title: 'Verify',
      body: html`<p>Plays every order's events again and holds the stored order, its ledger entries and balances to them;
looks at the tables as wholes, at the records that give power, and at the audit chain. Payments go on meanwhile.</p>
${visit.may('verifyInBackground') && panel('begin', 'Begin', beginForm(visit))}${run}`,
    };
  },
  forms: {
    begin: async ({ ask, given }) => {
      await ask('verifyInBackground', { kind: 'verify', ...filled(given, ['auditHead']) });
      return { to: AT, said: 'begun' };
    },
    stop: stopForm(AT),
  },
});

const beginForm = (visit: Parameters<typeof runPanel>[0]) =>
  formOf(
    visit,
    { action: `${AT}/begin`, submit: 'Verify everything' },
    textField({
      name: 'auditHead',
      label: 'A head of the audit chain that was kept elsewhere (optional)',
      hint: 'Such as 42:9f86d0… With it, a chain that was cut off or written anew is found out.',
      value: typed(visit, 'begin', 'auditHead'),
    }),
  );
