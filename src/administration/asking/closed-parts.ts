// Parts that are closed but for what is opened one by one, and the check that something belongs to a merchant.

/** Whether something belongs to the merchant whose people ask. */
export type IsOwn = (one: { readonly merchantId?: number | undefined }) => boolean;

/** A verb that gets here with another merchant's has a fault. */
export function mustBe<T extends { readonly merchantId?: number | undefined }>(isOwn: IsOwn, one: T): T {
  if (!isOwn(one)) throw new Error("a verb reached for what is another merchant's");
  return one;
}

/** A part of which only this is open; whoever asks for more has forgotten to narrow it. */
export function onlyOpen<Part extends object>(name: string, open: NoInfer<Partial<Part>>): Part {
  return new Proxy(open, {
    get: (_, member) => {
      if (Object.hasOwn(open, member)) return Reflect.get(open, member);
      throw new Error(`${name}.${String(member)} is closed to people of merchants`);
    },
    // What is not open throws when it is asked for.
  }) as Part;
}
