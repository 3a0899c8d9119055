import { currencies as listed } from 'countries-list/currencies';
import { describe, expect, it } from 'vitest';
import { currencyNumber, exponentOf, isCurrency } from './currency.ts';

// The payable currencies, written down apart from the library, so that a new version of it shows what it changes.
const NUMBERS =
  `AED784 AFN971 ALL008 AMD051 AOA973 ARS032 AUD036 AWG533 AZN944 BAM977 BBD052 BDT050 BGN975 BHD048 BIF108 BMD060 BND096
  BOB068 BRL986 BSD044 BTN064 BWP072 BYN933 BZD084 CAD124 CDF976 CHF756 CLP152 CNY156 COP170 CRC188 CUP192 CVE132 CZK203
  DJF262 DKK208 DOP214 DZD012 EGP818 ERN232 ETB230 EUR978 FJD242 FKP238 GBP826 GEL981 GHS936 GIP292 GMD270 GNF324 GTQ320
  GYD328 HKD344 HNL340 HTG332 HUF348 IDR360 ILS376 INR356 IQD368 IRR364 ISK352 JMD388 JOD400 JPY392 KES404 KGS417 KHR116
  KMF174 KPW408 KRW410 KWD414 KYD136 KZT398 LAK418 LBP422 LKR144 LRD430 LSL426 LYD434 MAD504 MDL498 MGA969 MKD807 MMK104
  MNT496 MOP446 MRU929 MUR480 MVR462 MWK454 MXN484 MYR458 MZN943 NAD516 NGN566 NIO558 NOK578 NPR524 NZD554 OMR512 PAB590
  PEN604 PGK598 PHP608 PKR586 PLN985 PYG600 QAR634 RON946 RSD941 RUB643 RWF646 SAR682 SBD090 SCR690 SDG938 SEK752 SGD702
  SHP654 SLE925 SOS706 SRD968 SSP728 STN930 SVC222 SYP760 SZL748 THB764 TJS972 TMT934 TND788 TOP776 TRY949 TTD780 TWD901
  TZS834 UAH980 UGX800 USD840 UYU858 UZS860 VED926 VES928 VND704 VUV548 WST882 XAD396 XAF950 XCD951 XCG532 XOF952 XPF953
  YER886 ZAR710 ZMW967 ZWG924`.split(/\s+/);

const NO_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ');
const THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND'.split(' ');

const codes = NUMBERS.map((pair) => pair.slice(0, 3));

describe('currencies', () => {
  it('are those of ISO 4217 that cards are charged in', () => {
    const known = [...new Set([...Object.keys(listed), ...codes])].filter(isCurrency);
    expect(known.sort()).toEqual(codes);
  });

  it.each(NUMBERS)('%s is a number of its own', (pair) => {
    expect(currencyNumber(pair.slice(0, 3))).toBe(pair.slice(3));
  });

  it('have two decimals but for a few', () => {
    const others = codes.filter((code) => exponentOf(code) !== 2);
    expect(others.filter((code) => exponentOf(code) === 0)).toEqual(NO_DECIMALS);
    expect(others.filter((code) => exponentOf(code) === 3)).toEqual(THREE_DECIMALS);
    expect(others).toHaveLength(NO_DECIMALS.length + THREE_DECIMALS.length);
  });

  it.each([
    ['JPY', 0],
    ['USD', 2],
    ['KWD', 3],
    ['HUF', 2],
    ['ISK', 0],
    ['IQD', 3],
    ['UGX', 0],
    ['XCG', 2],
    ['MGA', 2],
    ['MRU', 2],
  ])('%s has %i decimals, as ISO 4217 says', (currency, exponent) => {
    expect(exponentOf(currency)).toBe(exponent);
  });

  it.each(['usd', 'XXX', 'XTS', 'XAU', 'CLF', 'ZZZ', '', 'constructor'])('%s cannot be paid in', (code) => {
    expect(isCurrency(code)).toBe(false);
    expect(() => currencyNumber(code)).toThrow();
  });
});
