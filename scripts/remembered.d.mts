// What remembered.mjs offers, for the tests that are typed.

/** `find` is called when one of the files is not what it was when `name` was remembered. */
export function remembered<Found>(
  root: string,
  asked: { readonly name: string; readonly paths: readonly string[]; readonly find: () => Found },
): Found;
