// The URLs that people sign in the place of the right one: with another scheme, host or port, or another path.

export type UrlMistake = { readonly url: string; readonly mistake: string };

/** Names of this machine, and of the one around a container. */
const LOOPBACKS = ['localhost', '127.0.0.1', '[::1]', '0.0.0.0', 'host.docker.internal'];
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
const USUAL_PORTS = ['', '8080', '8443'];

/** Without those that are right as well. */
export function urlMistakes(right: readonly [string, ...string[]]): UrlMistake[] {
  const [url] = right;
  const { protocol, hostname, port, host, origin, pathname } = new URL(url);
  const other = protocol === 'http:' ? 'https:' : 'http:';
  const withPort = (name: string) => (port === '' ? name : `${name}:${port}`);
  const segments = pathname.split('/');
  const found = new Map<string, string>();
  const add = (candidate: string, what: string) => {
    if (!right.includes(candidate) && !found.has(candidate)) found.set(candidate, what);
  };
  add(`${other}//${host}${pathname}`, 'scheme');
  add(`${other}//${hostname}${pathname}`, 'scheme and port');
  add(`${origin}:${DEFAULT_PORTS[protocol]}${pathname}`, 'port, which is left out where it is the default');
  for (const usual of USUAL_PORTS) add(`${protocol}//${hostname}${usual && `:${usual}`}${pathname}`, 'port');
  for (const name of LOOPBACKS) add(`${protocol}//${withPort(name)}${pathname}`, 'host');
  add(`${url}/`, 'path, which has no slash at the end');
  add(`${url}?`, 'end, which has no question mark');
  add(`${origin}/${segments.slice(2).join('/')}`, 'path, which begins with that of the public base URL');
  add(`${origin}${segments.slice(0, -1).join('/')}`, 'path, which ends with the id of the endpoint');
  add(`${origin}/${pathname}`, 'path, which has single slashes');
  add(pathname, 'beginning, which is scheme and host');
  add(`${host}${pathname}`, 'beginning, which is the scheme');
  add(`${origin.toUpperCase()}${pathname}`, 'case of the host, which is in small letters');
  return [...found].map(([candidate, what]) => ({ url: candidate, mistake: mistakeOf(candidate, what, url) }));
}

function mistakeOf(candidate: string, what: string, right: string): string {
  return `The URL is signed as ${candidate}, with another ${what}: it must be ${right}.`;
}
