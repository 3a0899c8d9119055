// What free-port.mjs offers, for the tests that are typed.

export function freePort(): Promise<number>;
