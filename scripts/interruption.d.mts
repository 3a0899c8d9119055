// What interruption.mjs offers, for the tests that are typed.

export function interruption(): { readonly signal: AbortSignal; release(): void };
