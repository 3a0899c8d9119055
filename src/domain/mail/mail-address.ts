// Addresses of e-mail as they may stand in a message and in the commands that send it: plain ASCII, no quoting and no
// comments. Nothing that passes can begin another header, another recipient or another command.

const LONGEST = 254;
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/;
const LONGEST_LOCAL = 64;

export function isMailAddress(text: string): boolean {
  if (text.length > LONGEST) return false;
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  return at > 0 && local.length <= LONGEST_LOCAL && LOCAL.test(local) && DOMAIN.test(domain);
}

export function mailDomainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
