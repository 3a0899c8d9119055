// The issuers of the test numbers that gateways publish, for sandboxes without a table of their own. None of these
// banks exists.

import type { BinRow } from './bin-table.ts';

const ISSUERS: readonly (readonly [bank: string, country: string, ...bins: string[]])[] = [
  ['TEST BANK ONE', 'USA', '411111', '401288', '400005', '401200', '400551', '422222'],
  ['TEST BANK TWO', 'GBR', '424242', '444433', '444444', '444455', '448594', '453897'],
  ['TEST BANK THREE', 'DEU', '555555', '510510', '520082', '512345', '542400', '222300'],
  ['TEST EXPRESS', 'USA', '378282', '371449', '378734', '370000', '377679'],
  ['TEST CLUB', 'USA', '305693', '385200', '362272'],
  ['TEST DISCOVERY', 'USA', '601111', '601100', '601198'],
  ['TEST BANK OF JAPAN', 'JPN', '353011', '356600'],
  ['TEST BANK OF CHINA', 'CHN', '620000', '624303', '620550', '817199'],
  ['TEST BANK FOUR', 'NLD', '675964', '630400', '670344'],
  ['TEST BANK OF RUSSIA', 'RUS', '220000', '220247'],
  ['TEST BANK OF TURKEY', 'TUR', '979203'],
  ['TEST BANK OF BRAZIL', 'BRA', '506699', '636297', '506731', '606282'],
  ['TEST BANK OF INDIA', 'IND', '607384'],
];

export const TEST_BINS: readonly BinRow[] = ISSUERS.flatMap(([bank, country, ...bins]) =>
  bins.map((bin) => ({ bin, bank, country })),
);
