// What scan-left-behind.mjs offers, for the tests that are typed.

export const PAID_WITH: readonly string[];
