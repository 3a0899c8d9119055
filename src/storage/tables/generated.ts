// What is needed to write small functions as code: names that may stand in it, and the function that takes a property
// out of a value. Each is a function of its own to the engine, which one closure over many names would not be.

const NAME = /^[A-Za-z]\w*$/;

/** Refuses what could be more than a name. */
export function identifier(name: string): string {
  if (!NAME.test(name)) throw new Error(`${name} cannot be the name of a column in a row`);
  return name;
}

export function propertyGetter(key: string): (value: unknown) => unknown {
  return new Function('value', `return value?.${identifier(key)}`) as (value: unknown) => unknown;
}
