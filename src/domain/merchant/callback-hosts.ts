// The private hosts that a sandbox may call all the same: names such as `shop`, addresses and address ranges, each with
// any port or with one. A listed name may lead to any address; into a listed range any name may lead.

import { type AddressRange, readAddressRange, within } from '../address/address-ranges.ts';

export type CallbackHost = {
  readonly place: { readonly name: string } | { readonly range: AddressRange };
  /** Any port unless given. */
  readonly port: string | undefined;
};

const WITH_PORT = /^(?:\[([\da-f:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/i;
const NAME = /^(?=.{1,253}$)(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?)(?:\.[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?)*$/;
const DOTTED_DIGITS = /^[\d.]+$/;
const LAST_PORT = 65_535;

/** `shop`, `shop:3000`, `10.0.0.0/8`, `10.1.2.3:8080`, `fd00::/8` or `[fd00::1]:8080`; undefined when it is neither. */
export function readCallbackHost(text: string): CallbackHost | undefined {
  const whole = readAddressRange(text);
  if (whole) return { place: { range: whole }, port: undefined };
  const [, bracketed, plain = '', port] = WITH_PORT.exec(text) ?? [];
  if (port !== undefined && (Number(port) < 1 || Number(port) > LAST_PORT)) return undefined;
  const range = readAddressRange(bracketed ?? plain);
  if (range) return { place: { range }, port };
  const name = plainName(plain);
  return NAME.test(name) && !DOTTED_DIGITS.test(name) ? { place: { name }, port } : undefined;
}

/** Whether the list has the name itself: then it does not matter where it leads. */
export function isListedName(host: string, port: string, list: readonly CallbackHost[]): boolean {
  const name = plainName(host);
  return list.some((one) => 'name' in one.place && one.place.name === name && holdsPort(one, port));
}

/** Whether a range of the list holds the address. */
export function isListedAddress(address: string, port: string, list: readonly CallbackHost[]): boolean {
  const asked = readAddressRange(address);
  return asked !== undefined && list.some((one) => 'range' in one.place && holds(one.place.range, asked, one, port));
}

function holds(range: AddressRange, { family, ...asked }: AddressRange, one: CallbackHost, port: string): boolean {
  const isInside = family === range.family && within({ family, ...asked }, range.length).bits === range.bits;
  return isInside && holdsPort(one, port);
}

function holdsPort({ port }: CallbackHost, asked: string): boolean {
  return port === undefined || Number(port) === Number(asked);
}

/** Names are the same in any case, and with a dot at the end. */
function plainName(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
