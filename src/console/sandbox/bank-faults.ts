// How the simulated bank misbehaves: every fault with a switch, and all of it in numbers for whoever wants more.

import { InvalidInput } from '../../administration/verb/invalid-input.ts';
import { type Html, html } from '../../web/design/html.ts';
import { definePage, type Visit } from '../page.ts';
import { checkField, formOf, textField, typed } from '../pieces/forms.ts';
import { tableOf } from '../pieces/tables.ts';
import { badge, facts, nothing, panel } from '../pieces/values.ts';

const AT = '/console/sandbox/bank';

type BankFaults = Readonly<Record<string, unknown>>;

type BankSwitch = {
  readonly name: string;
  readonly says: string;
  readonly outcome: string;
  /** What the fault is when it is switched on. */
  readonly on: number;
  readonly unit: '%' | 'ms';
};

const share = (name: string, says: string, outcome: string): BankSwitch => ({ name, says, outcome, on: 1, unit: '%' });

const SWITCHES: readonly BankSwitch[] = [
  share(
    'refuseRate',
    'Connections are refused',
    'Nothing was sent: another terminal is tried, or the order is declined.',
  ),
  share('loseRequestRate', 'Requests never arrive', 'Nobody knows the outcome; the bank is asked, and knows nothing.'),
  share('loseAnswerRate', 'Answers never arrive', 'The bank has booked it; the gateway asks until it learns so.'),
  share('garbleRate', 'Answers cannot be read', 'The bank has booked it; the outcome is unknown until it is asked.'),
  share('doubleRate', 'Requests arrive twice', 'Nothing may be booked twice.'),
  {
    name: 'requestDelayMs',
    says: 'Requests arrive late',
    outcome: 'Five seconds pass before the bank sees them.',
    on: 5_000,
    unit: 'ms',
  },
  {
    name: 'answerDelayMs',
    says: 'Answers arrive late',
    outcome: 'Five seconds pass after the booking.',
    on: 5_000,
    unit: 'ms',
  },
];

const MESSAGES = [
  ['instruct', 'payments and what follows them'],
  ['inquire', 'questions about an outcome'],
  ['reverse', 'reversals of what is in doubt'],
] as const;

export const bankFaultsPage = definePage({
  path: 'sandbox/bank',
  needs: 'showBankFaults',
  menu: { section: 'Sandbox', name: 'Bank faults' },
  sandboxOnly: true,
  sayings: { set: 'The bank does so from now on.', none: 'The bank behaves well again.' },
  async show(visit) {
    const faults = (await visit.ask('showBankFaults')) as BankFaults;
    const maySet = visit.may('setBankFaults');
    const isGood = SWITCHES.every(({ name }) => sizeOf(faults, name) === 0) && scriptOf(faults) === '';
    return {
      title: 'Faults of the simulated bank',
      body: html`<p>${isGood ? badge('behaves well', 'good') : badge('misbehaves', 'bad')} Faults meet every payment of this
sandbox until they are switched off.</p>
${tableOf<BankSwitch>({
  label: 'Faults of the bank',
  columns: {
    Fault: ({ says }) => says,
    'What happens then': { of: ({ outcome }) => outcome, kind: 'wide' },
    Now: (one) => stateOf(faults, one),
    ...(maySet && { Switch: (one: BankSwitch) => switchForm(visit, faults, one) }),
  },
  rows: SWITCHES,
  otherwise: '',
})}
${maySet && !isGood && formOf(visit, { action: `${AT}/none`, submit: 'End all faults', kind: 'quiet' })}
${panel('exactly', 'Exactly', maySet ? exactForm(visit, faults) : numbersOf(faults), { wide: true })}`,
    };
  },
  forms: {
    switch: async ({ ask, given }) => {
      const one = SWITCHES.find(({ name }) => name === given.fault);
      if (!one) throw new InvalidInput('there is no such fault');
      const before = (await ask('showBankFaults')) as BankFaults;
      const faults = { ...before, [one.name]: given.to === 'on' ? one.on : 0 };
      // Shares are parts of one whole: a fault of all messages leaves nothing for others.
      const rest = one.unit === '%' && given.to === 'on' ? otherShares(one.name) : {};
      await ask('setBankFaults', { faults: { ...faults, ...rest } });
      return { to: AT, said: 'set' };
    },
    set: async ({ ask, given }) => {
      await ask('setBankFaults', { faults: faultsIn(given) });
      return { to: AT, said: 'set' };
    },
    none: async ({ ask }) => {
      await ask('setBankFaults');
      return { to: AT, said: 'none' };
    },
  },
});

const otherShares = (name: string) =>
  Object.fromEntries(SWITCHES.filter((one) => one.unit === '%' && one.name !== name).map((one) => [one.name, 0]));

/** A delay may be a range: it is shown by its end. */
function sizeOf(faults: BankFaults, name: string): number {
  const value = faults[name];
  if (typeof value === 'number') return value;
  return typeof value === 'object' && value !== null ? Number(Reflect.get(value, 'to')) : 0;
}

const scriptOf = ({ script }: BankFaults) => (Array.isArray(script) ? script.join(', ') : '');

function stateOf(faults: BankFaults, { name, unit }: BankSwitch): Html {
  const value = sizeOf(faults, name);
  if (value === 0) return badge('off');
  return badge(unit === '%' ? `on, ${Math.round(value * 100)} % of messages` : `on, ${value} ms`, 'bad');
}

function switchForm(visit: Visit, faults: BankFaults, { name, says }: BankSwitch): Html {
  const isOn = sizeOf(faults, name) !== 0;
  const submit = html`${isOn ? 'Switch off' : 'Switch on'}<span class="unseen">: ${says}</span>`;
  return formOf(
    visit,
    { action: `${AT}/switch`, submit, kind: 'quiet', inline: true },
    html`<input type="hidden" name="fault" value="${name}"><input type="hidden" name="to" value="${isOn ? 'off' : 'on'}">`,
  );
}

function numbersOf(faults: BankFaults): Html {
  const shown = Object.entries(faults).map(([name, value]) => [name, JSON.stringify(value)] as const);
  return shown.length === 0 ? nothing('The bank says nothing of its faults.') : facts(shown);
}

function exactForm(visit: Visit, faults: BankFaults): Html {
  const messages = Array.isArray(faults.messages) ? faults.messages : [];
  const was = (name: string, now: string | number) => typed(visit, 'set', name, now);
  const numbers = SWITCHES.map(({ name, says, unit }) => {
    const value = sizeOf(faults, name);
    return textField({
      name,
      label: `${says} (${unit === '%' ? '% of messages' : 'ms'})`,
      numeric: true,
      value: was(name, unit === '%' ? Math.round(value * 100) : value),
    });
  });
  return formOf(
    visit,
    { action: `${AT}/set`, submit: 'Let exactly these come into force' },
    html`<div class="columns">${numbers}
${textField({ name: 'skip', label: 'So many messages pass first', numeric: true, value: was('skip', Number(faults.skip ?? 0)) })}
${textField({ name: 'limit', label: 'So many are affected then (0: all)', numeric: true, value: was('limit', Number(faults.limit ?? 0)) })}
${textField({ name: 'seed', label: 'Seed', hint: 'The same seed gives the same faults.', numeric: true, value: was('seed', Number(faults.seed ?? 1)) })}
${textField({ name: 'script', label: 'The first messages one by one', hint: 'Such as ok, ok, lose-answer, late-answer=5000', value: was('script', scriptOf(faults)) })}</div>
<fieldset><legend>Which messages</legend>${MESSAGES.map(([name, says]) =>
      checkField({ name: `message-${name}`, label: says, value: messages.includes(name) }),
    )}</fieldset>`,
  );
}

function faultsIn(given: Visit['given']): Readonly<Record<string, unknown>> {
  const numberIn = (name: string, label: string) => {
    const read = Number((given[name] ?? '').replace(',', '.') || '0');
    if (!Number.isFinite(read) || read < 0) throw new InvalidInput(`${label}: a number is needed`);
    return read;
  };
  const values = SWITCHES.map(({ name, says, unit }) => {
    const read = numberIn(name, says);
    return [name, unit === '%' ? read / 100 : read];
  });
  const script = (given.script ?? '').split(/[\s,]+/).filter((step) => step !== '');
  const messages = MESSAGES.map(([name]) => name).filter((name) => given[`message-${name}`] === 'yes');
  return {
    ...Object.fromEntries(values),
    skip: numberIn('skip', 'So many messages pass first'),
    limit: numberIn('limit', 'So many are affected then'),
    seed: numberIn('seed', 'Seed'),
    messages,
    script,
  };
}
