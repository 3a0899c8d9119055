// What is there by what the code around it holds to, said to the compiler by a check and not by a cast.

export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('What must be there is missing');
  return value;
}
