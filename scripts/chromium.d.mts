// What chromium.mjs offers, for the tests that are typed.

export function findChromium(): string | undefined;
