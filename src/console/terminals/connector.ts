// A connector: what it reaches and does, and a new terminal with it.

import { html } from '../../web/design/html.ts';
import { definePage } from '../page.ts';
import { formOf } from '../pieces/forms.ts';
import { facts, panel } from '../pieces/values.ts';
import { fieldGroup, verbFields, verbGiven } from '../pieces/verb-form.ts';
import { connectorFields, connectorGiven } from './connector-fields.ts';

/** Asked for as the connector's own, or known. */
const APART = ['connector', 'settings', 'secrets', 'enabled'];

export const connectorPage = definePage({
  path: 'connectors/:connector',
  needs: 'showConnector',
  async show(visit) {
    const { connector = '' } = visit.params;
    const { name, says, does, partial, settings } = await visit.ask('showConnector', { name: connector });
    const options = { action: `/console/connectors/${encodeURIComponent(name)}/add`, submit: 'Add the terminal' };
    const labels = { name: 'Name of the terminal' };
    return {
      title: `Connector ${name}`,
      above: [['/console/terminals', 'Terminals']],
      body: html`${panel(
        'facts',
        'What it does',
        facts([
          ['Reaches', says],
          ['Carries out', does.join(', ')],
          ['In parts', partial.join(', ') || 'nothing'],
        ]),
      )}
${
  visit.may('addTerminal') &&
  panel(
    'add',
    'Add a terminal with it',
    formOf(visit, options, [
      fieldGroup('The terminal', verbFields(visit, 'addTerminal', { form: 'add', without: APART, labels })),
      html`<fieldset class="group"><legend>Its bank</legend>${connectorFields(visit, settings, { form: 'add' })}</fieldset>`,
    ]),
    { wide: true },
  )
}`,
    };
  },
  forms: {
    async add(visit) {
      const { connector = '' } = visit.params;
      const { settings } = await visit.ask('showConnector', { name: connector });
      const given = verbGiven(visit, 'addTerminal', { without: APART });
      await visit.ask('addTerminal', { ...given, connector, ...connectorGiven(visit, settings) });
      return { to: '/console/terminals', said: 'added' };
    },
  },
});
