// The card form while somebody types: digits in groups, the brand among the marks, and faults shown as soon as a field
// is left. The server checks everything again; this page only tells the payer sooner.

import { digitsOf } from '../../domain/as-typed.ts';
import { brandFor, groupsOf, lengthOfCode, parseBrands } from './card-brands.ts';
import { birthdayFault, emailFault, expiryFault, formatExpiry, numberFault, phoneFault } from './card-checks.ts';

export function watchCardForm(form: HTMLFormElement): void {
  const field = (name: string) => form.querySelector<HTMLInputElement | HTMLSelectElement>(`#${name}`);
  const number = field('credit_card_number') as HTMLInputElement | null;
  const expiry = field('expiry') as HTMLInputElement | null;
  const code = field('cvv2') as HTMLInputElement | null;
  const brands = parseBrands(form.dataset.brands ?? '');
  const accepted = form.dataset.accepted?.split(' ');
  const digits = () => digitsOf(number?.value ?? '');
  const brand = () => brandFor(digits(), brands);

  number?.addEventListener('input', () => {
    rewrite(number, (text) => groupsOf(text, brand()));
    showBrand(brand());
    if (code) showCode(code, brand());
  });
  if (code) showCode(code, undefined);
  expiry?.addEventListener('input', (event) => {
    const isDeleting = (event as InputEvent).inputType?.startsWith('delete');
    if (!isDeleting) expiry.value = formatExpiry(expiry.value);
  });
  code?.addEventListener('input', () => rewrite(code, (text) => text));

  const faultOf = (input: HTMLInputElement | HTMLSelectElement): string => {
    if (input.value.trim() === '') return input.dataset.errorMissing ?? '';
    if (input === number && numberFault(digits())) return input.dataset.errorWrong ?? '';
    if (input === number && accepted?.includes(brand() ?? '') === false) return form.dataset.errorBrand ?? '';
    if (input === expiry) {
      const fault = expiryFault(expiry.value, new Date());
      return fault === undefined
        ? ''
        : ((fault === 'expired' ? input.dataset.errorExpired : input.dataset.errorWrong) ?? '');
    }
    if (input === code && !/^\d{3,4}$/.test(code.value)) return input.dataset.errorWrong ?? '';
    return isWrong(input) ? (input.dataset.errorWrong ?? '') : '';
  };

  const inputs = [...form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('.field input, .field select')];
  for (const input of inputs) {
    // A field that was never filled in is said to be missing only when the form is sent.
    input.addEventListener('blur', () => input.value.trim() !== '' && say(input, faultOf(input)));
    input.addEventListener('input', () => input.getAttribute('aria-invalid') === 'true' && say(input, faultOf(input)));
  }

  let isSent = false;
  form.addEventListener('submit', (event) => {
    if (isSent) return event.preventDefault();
    const faulty = inputs.filter((input) => {
      const fault = faultOf(input);
      say(input, fault);
      return fault !== '';
    });
    if (faulty[0]) {
      event.preventDefault();
      faulty[0].focus();
      return;
    }
    isSent = true;
    const button = form.querySelector<HTMLButtonElement>('button[type=submit]');
    button?.setAttribute('aria-disabled', 'true');
    if (button?.dataset.busy) button.textContent = button.dataset.busy;
  });
}

/** Marks the brand of the number among those that are shown. */
function showBrand(brand: string | undefined): void {
  for (const list of document.querySelectorAll<HTMLElement>('[data-brands-shown]')) {
    const marks = [...list.querySelectorAll<HTMLElement>('[data-mark]')];
    const isShown = marks.some(({ dataset }) => dataset.mark === brand);
    list.toggleAttribute('data-known', isShown);
    for (const mark of marks) mark.toggleAttribute('data-chosen', mark.dataset.mark === brand);
  }
}

/** Tells where the security code is, and how long: on the back as long as nothing says that it is on the front. */
function showCode(code: HTMLInputElement, brand: string | undefined): void {
  const side = brand === 'AMEX' ? 'front' : 'back';
  code.maxLength = lengthOfCode(brand);
  code.placeholder = side === 'front' ? '0000' : '000';
  const hint = document.getElementById(`${code.id}-hint`);
  if (hint) hint.textContent = (side === 'front' ? code.dataset.hintFront : code.dataset.hintBack) ?? '';
  for (const picture of code.parentElement?.querySelectorAll('[data-code]') ?? []) {
    picture.toggleAttribute('hidden', picture.getAttribute('data-code') !== side);
  }
}

/** Checks what is asked besides the card, by the kind of field. */
function isWrong({ type, value, dataset }: HTMLInputElement | HTMLSelectElement): boolean {
  if (type === 'email' && emailFault(value)) return true;
  if (type === 'tel') return phoneFault(value);
  if (type === 'date') return birthdayFault(value, new Date());
  return value.trim().length > Number(dataset.longest ?? Number.POSITIVE_INFINITY);
}

/** Formats what is in a field and leaves the cursor behind the same digit. */
function rewrite(input: HTMLInputElement, format: (digits: string) => string): void {
  const at = input.selectionStart ?? input.value.length;
  const before = digitsOf(input.value.slice(0, at)).length;
  const text = format(digitsOf(input.value));
  if (text === input.value) return;
  input.value = text;
  let place = 0;
  for (let seen = 0; place < text.length && seen < before; place++) if (/\d/.test(text[place] as string)) seen++;
  input.setSelectionRange(place, place);
}

function say(input: HTMLInputElement | HTMLSelectElement, fault: string): void {
  const place = document.getElementById(`${input.id}-error`);
  if (place) place.textContent = fault;
  if (fault === '') input.removeAttribute('aria-invalid');
  else input.setAttribute('aria-invalid', 'true');
}
