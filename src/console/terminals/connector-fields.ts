// The settings of a connector as fields. A secret is never written into one: an empty field leaves it as it is.

import type { AnswerTo } from '../../administration/administration.ts';
import { type Html, html, type Piece } from '../../web/design/html.ts';
import type { FormValues, Visit } from '../page.ts';
import { textArea, textField, typed } from '../pieces/forms.ts';
import { titledName } from '../pieces/verb-form.ts';

type ConnectorSetting = AnswerTo<'showConnector'>['settings'][number];

/** So that no setting of a connector is taken for an input of the verb. */
const OWN = 'connector.';

export type ConnectorNow = {
  readonly form: string;
  /** What is set, by name; as text. */
  readonly settings?: FormValues;
  /** Which secrets are set. */
  readonly secrets?: readonly string[];
};

export function connectorFields(visit: Visit, settings: readonly ConnectorSetting[], now: ConnectorNow): Html {
  const fields = settings.map((one) => (one.secret ? secretField(one, now) : plainField(visit, one, now)));
  return html`<div class="field-grid">${fields}</div>`;
}

function plainField(visit: Visit, one: ConnectorSetting, { form, settings = {} }: ConnectorNow): Html {
  const name = `${OWN}${one.name}`;
  const value = typed(visit, form, name, settings[one.name]);
  const first = one.default === null ? '' : ` Empty for ${String(one.default)}.`;
  const hint: Piece = `${sentence(one.says)} It takes ${one.takes}.${first}`;
  const field = { name, label: titledName(one.name), value, hint, required: one.required, of: form };
  return hasLines(one) ? textArea(field) : textField(field);
}

/** Keys and certificates have several lines, of which a field of one line makes one. */
const hasLines = ({ takes }: ConnectorSetting) => /PEM/.test(takes);

function secretField(one: ConnectorSetting, { form, secrets = [] }: ConnectorNow): Html {
  const isSet = secrets.includes(one.name);
  const state = isSet ? 'It is set; leave this empty to keep it.' : 'It is not set.';
  const field = { name: `${OWN}${one.name}`, label: `${titledName(one.name)} (secret)`, value: '', of: form };
  const hint = `${sentence(one.says)} It takes ${one.takes}. ${state}`;
  const needed = { ...field, hint, required: one.required && !isSet };
  return hasLines(one) ? textArea(needed) : textField({ ...needed, type: 'password' });
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

export type ConnectorSent = {
  readonly settings?: FormValues;
  readonly secrets?: FormValues;
  readonly unset?: readonly string[];
};

/** Browsers end lines in their own way, and leave out what a text ends with. */
const bare = (text: string | undefined) => text?.replaceAll('\r', '').trim();

/** What was sent of them and differs; a setting whose field was emptied is unset. */
export function connectorGiven(
  { given }: Pick<Visit, 'given'>,
  settings: readonly ConnectorSetting[],
  now: FormValues = {},
): ConnectorSent {
  const texts = settings.map((one) => ({ ...one, text: bare(given[`${OWN}${one.name}`]) }));
  const differs = texts.filter(
    ({ name, text, secret }) => text !== undefined && (secret || text !== (bare(now[name]) ?? '')),
  );
  const filled = differs.filter(({ text }) => text !== '');
  const valuesOf = (isSecret: boolean) =>
    Object.fromEntries(
      filled.filter(({ secret }) => secret === isSecret).map(({ name, text }) => [name, text as string]),
    );
  const unset = differs.filter(({ text, secret }) => text === '' && !secret).map(({ name }) => name);
  const [plain, secrets] = [valuesOf(false), valuesOf(true)];
  return {
    ...(Object.keys(plain).length > 0 && { settings: plain }),
    ...(Object.keys(secrets).length > 0 && { secrets }),
    ...(unset.length > 0 && { unset }),
  };
}

/** `name=value` of a terminal, by name. */
export function settingsByName(lines: readonly string[]): FormValues {
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf('=');
      return [line.slice(0, at), line.slice(at + 1)];
    }),
  );
}
