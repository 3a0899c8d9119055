// The overview: what is going on now.

import { html } from '../../web/design/html.ts';
import { type ConsolePage, definePage } from '../page.ts';

const overview = definePage({
  path: '',
  needs: 'listOrders',
  menu: { section: 'Today', name: 'Overview' },
  async show({ person }) {
    return { title: 'Overview', body: html`<p>You are signed in as ${person.name}.</p>` };
  },
});

export const todayPages: readonly ConsolePage[] = [overview];
