// Finds names that occur twice in one object of a JSON text. JSON.parse hides them by keeping the last value, but
// another party may act on the first (error 204). The text must be valid JSON.

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

type Level = { readonly names: Set<string> | undefined; expectsName: boolean };

export function duplicateNames(json: string): string[] {
  const duplicates: string[] = [];
  const levels: Level[] = [];
  for (const [token] of json.matchAll(TOKEN)) {
    const level = levels.at(-1);
    if (token === '{') levels.push({ names: new Set(), expectsName: true });
    else if (token === '[') levels.push({ names: undefined, expectsName: false });
    else if (token === '}' || token === ']') levels.pop();
    else if (level?.names === undefined) continue;
    else if (token === ',') level.expectsName = true;
    else if (token === ':') level.expectsName = false;
    else if (level.expectsName) {
      // The same name can be spelt with and without escapes.
      const name = JSON.parse(token) as string;
      if (level.names.has(name)) duplicates.push(name);
      level.names.add(name);
    }
  }
  return duplicates;
}
