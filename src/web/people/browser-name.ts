// What a browser is called in a list of sessions: enough to know one's own again.

const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const;

export function browserName(userAgent = ''): string {
  const named = (list: readonly (readonly [string, string])[]) => list.find(([part]) => userAgent.includes(part))?.[1];
  const [browser, system] = [named(BROWSERS) ?? 'A program', named(SYSTEMS)];
  return system === undefined ? browser : `${browser} on ${system}`;
}
