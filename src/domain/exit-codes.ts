// What the exit code of a command tells a script, as `diff` and `grep` do it: 0 is well, 1 is an answer or a failure, 2
// is a command that was not understood. The reference page is printed from it.

export const exitCodes = {
  done: { code: 0, says: 'The command did what it says, and found nothing wrong.' },
  failed: { code: 1, says: 'Refused or broken; standard error says why. Of commands that compare: they differ.' },
  usage: { code: 2, says: 'Not understood: an option, an argument or a setting is wrong. Or: could not compare.' },
  unreachable: { code: 3, says: 'The gateway, its database or the bank that was named does not answer.' },
  'not-allowed': { code: 4, says: 'The gateway does not know who asks, or they may not do this.' },
  'not-approved': { code: 5, says: 'With `--wait`: the order ended without approval, or had not ended in time.' },
} as const satisfies Readonly<Record<string, { readonly code: number; readonly says: string }>>;

export type ExitName = keyof typeof exitCodes;

/** Commands whose code 1 is an answer, so that whatever else keeps them from answering is 2. */
export const COMPARING_COMMANDS = [
  'verify',
  'reconcile',
  'scan',
  'evidence',
  'audit verify',
  'check-signature',
] as const;
