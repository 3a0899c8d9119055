// The address of a PostgreSQL database as operators write it: `postgres://user:password@host:port/name`, or with
// several hosts divided by commas, of which one is the primary: `postgres://user@db1:5432,db2:5432/name`.

/** One server: `place` is for people, `url` has the password in it. */
export type DatabaseHost = { readonly place: string; readonly url: string };

/** Whether any server will do, or only one that can be written to. */
export type WantedSession = 'any' | 'read-write';

export type DatabaseAddress = {
  readonly hosts: readonly DatabaseHost[];
  readonly name: string;
  /** Undefined where the address names one host and asks for nothing. */
  readonly wants: WantedSession | undefined;
};

const DEFAULT_PORT = '5432';
const MOST_HOSTS = 8;

/** How libpq calls what we look for; its other values are for who only reads. */
const SESSION_WORDS: Readonly<Record<string, WantedSession>> = {
  any: 'any',
  'read-write': 'read-write',
  primary: 'read-write',
};

/** Scheme, user with password, hosts, and the rest. What is before the last @ of the authority is the user. */
const FORM = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#@]*)(.*)$/s;

/** What is wrong with the address of a database, without any part of it that could be a password. */
export class BadDatabaseAddress extends Error {
  override readonly name = 'BadDatabaseAddress';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('; '));
    this.faults = faults;
  }
}

/** Throws `BadDatabaseAddress` with every fault. */
export function readDatabaseAddress(address: string): DatabaseAddress {
  const [, scheme, user = '', authority = '', rest = ''] = FORM.exec(address) ?? [];
  if (scheme === undefined) throw new BadDatabaseAddress(['it must begin with postgres:// or postgresql://']);
  const names = authority.split(',');
  const hosts = names.map((host) => ({ host, url: `${scheme}${user}${host}${rest}` }));
  const faults = [
    ...hostFaults(names, user !== ''),
    ...restFaults({ scheme, user, rest, isSeveral: names.length > 1 }),
  ];
  if (faults.length > 0) throw new BadDatabaseAddress([...new Set(faults)]);
  const { pathname, searchParams } = new URL(`${scheme}${user}localhost${rest}`);
  const wanted = searchParams.get('target_session_attrs');
  return {
    hosts: hosts.map(({ url }) => ({ place: placeOf(new URL(url)), url })),
    name: pathname.slice(1) || 'postgres',
    wants: wanted === null ? (hosts.length > 1 ? 'read-write' : undefined) : SESSION_WORDS[wanted],
  };
}

function placeOf({ hostname, port, searchParams }: URL): string {
  return `${hostname || searchParams.get('host') || 'localhost'}:${port || searchParams.get('port') || DEFAULT_PORT}`;
}

/** An address without a host is of this machine; behind a user's @ there must be one. */
function hostFaults(names: readonly string[], isBehindUser: boolean): string[] {
  if (names.length === 1) return names[0] === '' && !isBehindUser ? [] : oneHostFaults(names[0] as string, 'the host');
  const repeated = names.filter((name, index) => name !== '' && names.indexOf(name) !== index);
  return [
    ...(names.length > MOST_HOSTS ? [`it names ${names.length} hosts, and ${MOST_HOSTS} are the most`] : []),
    ...names.flatMap((name, index) => oneHostFaults(name, `host ${index + 1}`)),
    ...repeated.map((name) => `host ${names.lastIndexOf(name) + 1} is named twice`),
  ];
}

/** Hosts are not repeated: where an @ or a / of a password is not encoded, a piece of it stands there. */
function oneHostFaults(name: string, which: string): string[] {
  if (name === '') return [`${which} is empty`];
  const [, port] = /^(?:\[[^\]]*\]|[^:[\]]*):(.*)$/.exec(name) ?? [];
  if (port !== undefined && !isPort(port)) return [`the port of ${which} is not a number from 1 to 65535`];
  return URL.canParse(`postgres://${name}/`) && !name.startsWith(':') ? [] : [`${which} is no name or address`];
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}

type Rest = { readonly scheme: string; readonly user: string; readonly rest: string; readonly isSeveral: boolean };

function restFaults({ scheme, user, rest, isSeveral }: Rest): string[] {
  if (user.slice(0, -1).includes('@')) return ['an @ in the user or the password must be written as %40'];
  if (rest.includes('#')) return ['a # in it must be written as %23'];
  if (user === '' && rest.includes('@'))
    return ['a /, ? or @ in the user or the password must be written as %2F, %3F or %40'];
  const address = `${scheme}${user}localhost${rest}`;
  if (!URL.canParse(address) || !isDecodable(user)) return ['the user or the password cannot be read'];
  const { searchParams } = new URL(address);
  const wanted = searchParams.get('target_session_attrs');
  const words = Object.keys(SESSION_WORDS).join(', ');
  return [
    ...(wanted !== null && !Object.hasOwn(SESSION_WORDS, wanted) ? [`target_session_attrs is none of ${words}`] : []),
    ...(isSeveral && (searchParams.has('host') || searchParams.has('port'))
      ? ['several hosts are named before the /, without host= and port=']
      : []),
    ...(searchParams.get('host')?.includes(',') ? ['several hosts are named before the /, not in host='] : []),
  ];
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}
