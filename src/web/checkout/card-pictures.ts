// Small pictures for the card form, drawn for these pages: a mark for every brand, made of its name and a colour, and
// where on a card the security code stands. They are part of the page, so nothing is loaded for them.

import type { KnownBrand } from '../../domain/card/card.ts';
import { type Html, html } from '../design/html.ts';

type Mark = { readonly name: string; readonly short: string };

/** The name that is read out, and the one that fits the mark. The colours are in the stylesheet. */
const MARKS: Readonly<Record<KnownBrand, Mark>> = {
  VISA: { name: 'Visa', short: 'VISA' },
  MASTERCARD: { name: 'Mastercard', short: 'Master' },
  AMEX: { name: 'American Express', short: 'AMEX' },
  DINERS: { name: 'Diners Club', short: 'Diners' },
  DISCOVER: { name: 'Discover', short: 'Discover' },
  JCB: { name: 'JCB', short: 'JCB' },
  UNIONPAY: { name: 'UnionPay', short: 'UnionPay' },
  ELO: { name: 'Elo', short: 'elo' },
  MIR: { name: 'Mir', short: 'MIR' },
  HIPER: { name: 'Hiper', short: 'Hiper' },
  HIPERCARD: { name: 'Hipercard', short: 'Hiper C' },
  TROY: { name: 'Troy', short: 'troy' },
  NARANJA: { name: 'Naranja', short: 'Naranja' },
  VERVE: { name: 'Verve', short: 'Verve' },
  MAESTRO: { name: 'Maestro', short: 'Maestro' },
};

/** Shown where every brand is taken: all of them would be a wall of names that most payers never heard. */
const EVERYWHERE: readonly KnownBrand[] = ['VISA', 'MASTERCARD', 'AMEX', 'DINERS', 'DISCOVER', 'JCB', 'UNIONPAY'];

/** The brands whose marks are shown for those that are taken. */
export function shownBrands(accepted: readonly KnownBrand[]): readonly KnownBrand[] {
  return accepted.length < Object.keys(MARKS).length ? accepted : EVERYWHERE;
}

export function brandName(brand: KnownBrand): string {
  return MARKS[brand].name;
}

/** `label`: what is read out instead of the marks. */
export function brandMarks(brands: readonly KnownBrand[], label: string): Html {
  const marks = brands.map(
    (
      brand,
    ) => html`<li data-mark="${brand}"><svg class="mark-of-brand" viewBox="0 0 36 24" width="36" height="24" aria-hidden="true" focusable="false">
<rect class="paper" x="0.5" y="0.5" width="35" height="23" rx="3.5"/><rect class="band" x="4" y="18" width="28" height="2" rx="1"/>
<text x="18" y="14" text-anchor="middle" ${fitted(MARKS[brand].short)}>${MARKS[brand].short}</text></svg></li>`,
  );
  return html`<div class="brands" role="img" aria-label="${label}"><ul aria-hidden="true" data-brands-shown>${marks}</ul></div>`;
}

/** In units of the mark: a long name takes 28 of its 36, whatever letters the browser has. */
function fitted({ length }: string): Html {
  if (length < 4) return html`font-size="10.5"`;
  return html`font-size="${length === 4 ? '10' : length <= 6 ? '8.5' : '7'}" textLength="28" lengthAdjust="spacingAndGlyphs"`;
}

/** Where the security code stands: three digits behind the signature, or four above the number. */
export function codePictures(): Html {
  const attributes = html`viewBox="0 0 36 24" width="36" height="24" aria-hidden="true" focusable="false"`;
  return html`<span class="code-picture"><svg data-code="back" ${attributes}>
<rect class="paper" x="0.5" y="0.5" width="35" height="23" rx="3.5"/><rect class="magnet" x="1" y="4" width="34" height="4.5"/>
<rect class="field-of-card" x="4" y="12" width="16" height="6" rx="1"/><circle class="dot" cx="24.5" cy="15" r="1.4"/><circle class="dot" cx="28" cy="15" r="1.4"/><circle class="dot" cx="31.5" cy="15" r="1.4"/>
</svg><svg data-code="front" hidden ${attributes}>
<rect class="paper" x="0.5" y="0.5" width="35" height="23" rx="3.5"/><rect class="field-of-card" x="4" y="4" width="7" height="5.5" rx="1"/>
<circle class="dot" cx="21.5" cy="8" r="1.4"/><circle class="dot" cx="25" cy="8" r="1.4"/><circle class="dot" cx="28.5" cy="8" r="1.4"/><circle class="dot" cx="32" cy="8" r="1.4"/><rect class="field-of-card" x="4" y="14" width="28" height="3" rx="1"/>
</svg></span>`;
}
