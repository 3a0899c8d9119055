// Which passwords are taken: long ones that nobody tries first. There is no rule about kinds of characters, because
// such rules make passwords worse.

export const MIN_PASSWORD = 12;
/** Longer ones would only cost time. */
export const MAX_PASSWORD = 128;
const MIN_DIFFERENT = 5;

/** What people and programs try first, without the digits and signs that are put around it. */
const COMMON = new Set(
  `password passwort passwd motdepasse contrasena parola senha qwerty qwertyuiop qwertz azerty asdfghjkl zxcvbnm
  qwertyasdfgh qwertyuiopasdfghjkl qazwsx qazwsxedc abcdefgh abcdefghijkl abcdefghijklmnopqrstuvwxyz abcabcabcabc
  welcome welcometo letmein letmeinnow iloveyou trustno trustnoone sunshine princess football baseball basketball
  superman batman starwars dragon monkey master shadow michael jennifer jordan liverpool chelsea arsenal charlie
  computer internet whatever freedom nothing secret topsecret changeme changemenow changeit default admin
  administrator administration adminadmin root rootroot toor operator tender tendertender gateway payment payments
  paymentgateway user username guest test testtest testing temp temporary demo login hello helloworld
  passwordpassword passpasspass correcthorsebatterystaple correct horse battery staple monkeymonkey`.split(/\s+/),
);

/** How it is kept and compared: the same letters, however a keyboard sends them. */
export function plainPassword(password: string): string {
  return password.normalize('NFKC');
}

/** Why a password is not taken, as a sentence; undefined when it is. */
export function passwordFault(password: string, name: string): string | undefined {
  const plain = plainPassword(password);
  const length = [...plain].length;
  if (length < MIN_PASSWORD) return `A password has at least ${MIN_PASSWORD} characters.`;
  if (length > MAX_PASSWORD) return `A password has at most ${MAX_PASSWORD} characters.`;
  const lower = plain.toLowerCase();
  const letters = lower.replace(/[^\p{L}]/gu, '');
  const tooCommon = COMMON.has(letters) || COMMON.has(withoutDisguise(lower)) || isRun(lower);
  if (tooCommon || new Set(lower).size < MIN_DIFFERENT) return 'This password is one of the first that are tried.';
  const own = lower.includes(name.toLowerCase()) && [...lower].length - name.length < MIN_PASSWORD;
  return own ? 'A password must not be made of your own name.' : undefined;
}

const DISGUISES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '@': 'a',
  $: 's',
};

/** `p4ssw0rd2026!` is `password`. */
function withoutDisguise(text: string): string {
  const stem = text.replace(/[^\p{L}]+$/u, '').replace(/^[^\p{L}@$]+/u, '');
  return [...stem]
    .map((one) => DISGUISES[one] ?? one)
    .join('')
    .replace(/[^\p{L}]/gu, '');
}

/** `123456789012`, `abcdefghijkl`: each character is the one after the last, or the one before it. */
function isRun(text: string): boolean {
  const steps = [...text].slice(1).map((one, index) => (one.codePointAt(0) ?? 0) - (text.codePointAt(index) ?? 0));
  const regular = steps.filter((step) => Math.abs(step) === 1 || step === -9 || step === 9 || step === 0).length;
  return regular >= steps.length - 1;
}
