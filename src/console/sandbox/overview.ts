// The sandbox's first page: orders to make, test cards, and the clock.

import type { AnswerTo } from '../../administration/administration.ts';
import { moveText } from '../../administration/sandbox/clock.ts';
import { InvalidInput } from '../../administration/verb/invalid-input.ts';
import { type Html, html } from '../../web/design/html.ts';
import { RUN_SAYINGS, runPanel, stopForm } from '../books/run-panel.ts';
import { definePage, type Visit } from '../page.ts';
import { choiceField, formOf, textField, typed } from '../pieces/forms.ts';
import { tableOf } from '../pieces/tables.ts';
import { facts, moment, mono, panel } from '../pieces/values.ts';

const AT = '/console/sandbox';

type SandboxView = AnswerTo<'showSandbox'>;

const UNITS = { minutes: 1, hours: 60, days: 24 * 60 } as const;

export const sandboxPage = definePage({
  path: 'sandbox',
  needs: 'showSandbox',
  menu: { section: 'Sandbox', name: 'Orders, cards, clock' },
  sandboxOnly: true,
  sayings: { ...RUN_SAYINGS, moved: 'The clock is put forward. What is due comes within seconds.' },
  async show(visit) {
    const sandbox = await visit.ask('showSandbox');
    return {
      title: 'Sandbox',
      body: html`<div class="panels">
${visit.may('makeOrders') && panel('make', 'Make me an order like …', makeForm(visit, sandbox))}
${panel('clock', 'Clock', clockOf(visit, sandbox))}</div>
${await runPanel(visit, {
  kind: 'orders',
  at: AT,
  title: 'Orders that were made',
  otherwise: 'None were made at this node yet. They will be listed here, with links to them.',
})}
${panel('cards', 'Test cards', cardsOf(sandbox), { wide: true })}
${panel('codes', 'Security codes', codesOf(sandbox), { wide: true })}`,
    };
  },
  forms: {
    make: async ({ ask, given }) => {
      const story = /^story (.+)$/.exec(given.like ?? '')?.[1];
      if (story !== undefined) await ask('triggerStory', { story });
      else await ask('makeOrders', { like: given.like ?? '', count: Number(given.count) });
      return { to: `${AT}#run`, said: 'begun' };
    },
    'move-clock': async ({ ask, given }) => {
      const unit = Object.entries(UNITS).find(([name]) => name === given.unit)?.[1];
      if (unit === undefined) throw new InvalidInput('minutes, hours or days are needed');
      await ask('moveClock', { minutes: Number(given.by) * unit });
      return { to: AT, said: 'moved' };
    },
    stop: stopForm(AT),
  },
});

function makeForm(visit: Visit, { orders, stories }: SandboxView): Html {
  return formOf(
    visit,
    { action: `${AT}/make`, submit: 'Make it' },
    html`${choiceField({ name: 'like', label: 'Like', value: typed(visit, 'make', 'like') }, [
      ...orders.map(({ kind, says }) => [kind, says] as const),
      ...(visit.may('triggerStory') ? stories : []).map(
        ({ kind, says }) => [`story ${kind}`, `a story: ${says}`] as const,
      ),
    ])}
${textField({ name: 'count', label: 'How many', hint: 'At most 200 at once; a story is played once.', numeric: true, value: typed(visit, 'make', 'count', 1) })}
<p class="hint">They are orders of the demo merchant, sent through the interface as any merchant sends them.</p>`,
  );
}

function clockOf(visit: Visit, { clock }: SandboxView): Html {
  const { aheadMinutes, canMove, lastMove, movingTo, now } = clock;
  const ahead = aheadMinutes === 0 ? 'not at all' : `${aheadMinutes.toLocaleString('en')} minutes`;
  return html`${facts([
    ['It shows', moment(now)],
    ['Ahead of the true time', ahead],
    ['Being moved to', movingTo === null ? undefined : moment(movingTo)],
    ['Last move', lastMove === null ? undefined : moveText(lastMove)],
  ])}
${canMove && visit.may('moveClock') && moveForm(visit)}
${
  !canMove &&
  html`<p class="hint">It cannot be moved here: this sandbox shares a PostgreSQL database, or has a bank or card networks of
their own, and they would go on by the true time.</p>`
}`;
}

function moveForm(visit: Visit): Html {
  const was = (name: string, now: string | number) => typed(visit, 'move-clock', name, now);
  return formOf(
    visit,
    {
      action: `${AT}/move-clock`,
      submit: 'Put it forward',
      confirm: 'Put the clock forward? It never goes back in this sandbox.',
    },
    html`<div class="columns">${textField({ name: 'by', label: 'By', numeric: true, value: was('by', 1) })}
${choiceField(
  { name: 'unit', label: 'Unit', value: was('unit', 'days') },
  Object.keys(UNITS).map((unit) => [unit, unit] as const),
)}</div>
<p class="hint">Holds end, recurring payments and callbacks come due, and links and sessions end, yours among them.
Payments under way are asked about anew. Codes of authenticator apps, and what merchants sign with OAuth by the true time,
do not fit any more. It stays ahead after a restart, and never goes back.</p>`,
  );
}

function cardsOf({ cards }: SandboxView): Html {
  return html`<p>What 3-D Secure makes of a card, on an endpoint that asks for it. Any other number is an ordinary card.</p>
${tableOf<SandboxView['cards'][number]>({
  label: 'Numbers of test cards',
  columns: { Number: ({ number }) => mono(number), 'What happens': { of: ({ means }) => means, kind: 'wide' } },
  rows: cards,
  otherwise: 'There are no test cards.',
})}`;
}

function codesOf({ codes }: SandboxView): Html {
  return html`<p>What the simulated bank makes of a payment, by the security code that is given with the card.</p>
${tableOf<SandboxView['codes'][number]>({
  label: 'Codes and what happens',
  columns: { Code: ({ code }) => mono(code), 'What happens': { of: ({ means }) => means, kind: 'wide' } },
  rows: codes,
  otherwise: 'There are no such codes.',
})}`;
}
