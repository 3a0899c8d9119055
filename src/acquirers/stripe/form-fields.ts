// The form bodies that Stripe takes: fields within fields are written with brackets, as `card[number]`.

export type FieldValue = string | number | bigint | boolean | undefined | readonly string[] | FormFields;

export type FormFields = { readonly [name: string]: FieldValue };

/** Every field that has a value, by its whole name, in the order in which it is given. */
export function flatFields(fields: FormFields, within = ''): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const whole = within === '' ? name : `${within}[${name}]`;
    if (value === undefined) return [];
    if (Array.isArray(value)) return value.map((one) => [`${whole}[]`, String(one)] as [string, string]);
    if (typeof value === 'object') return flatFields(value as FormFields, whole);
    return [[whole, String(value)]];
  });
}

export function writeForm(fields: FormFields): string {
  return new URLSearchParams(flatFields(fields)).toString();
}
