// Reconciliation: our transactions against the bank's books, line by line.

import { html } from '../../web/design/html.ts';
import { definePage } from '../page.ts';
import { formOf } from '../pieces/forms.ts';
import { panel } from '../pieces/values.ts';
import { RUN_SAYINGS, runPanel, stopForm } from './run-panel.ts';

const AT = '/console/books/reconcile';

export const reconcilePage = definePage({
  path: 'books/reconcile',
  needs: 'listRuns',
  menu: { section: 'Books', name: 'Reconcile' },
  sayings: RUN_SAYINGS,
  async show(visit) {
    const run = await runPanel(visit, {
      kind: 'reconcile',
      at: AT,
      title: 'The last run',
      otherwise: 'Nothing was reconciled at this node yet. Differences will be listed here, with their orders.',
    });
    const begin = formOf(visit, { action: `${AT}/begin`, submit: "Compare with the bank's books" });
    return {
      title: 'Reconcile',
      body: html`<p>Compares every instruction that we gave the simulated bank (terminal <code>demo-bank</code>) with its
books. While payments go on, whatever differs is looked at three times before it counts. For one day's cleared payments
see <a href="/console/books/settlement">settlement</a>.</p>
${visit.may('verifyInBackground') && panel('begin', 'Begin', begin)}${run}
<p class="hint">The books of another bank are in its settlement files, which are read on the gateway's machine:
<code class="command">tender reconcile --terminal &lt;name&gt; --file &lt;files&gt;</code></p>`,
    };
  },
  forms: {
    begin: async ({ ask }) => {
      await ask('verifyInBackground', { kind: 'reconcile' });
      return { to: AT, said: 'begun' };
    },
    stop: stopForm(AT),
  },
});
