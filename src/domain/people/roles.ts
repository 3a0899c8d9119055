// Who may use which verb. The three roles of working people include each other; an auditor sees everything that changes
// nothing, whoever it is for, and changes nothing.

/** The least that somebody must be to use a verb. */
export const VERB_ROLES = ['viewer', 'operator', 'administrator'] as const;
export type VerbRole = (typeof VERB_ROLES)[number];

export const PERSON_ROLES = [...VERB_ROLES, 'auditor'] as const;
export type PersonRole = (typeof PERSON_ROLES)[number];

/** What of a verb decides who may use it. */
export type GuardedVerb = {
  readonly role: VerbRole;
  /** `read` and `cards` change nothing; `cards` leaves an entry in the audit chain. */
  readonly conduct: 'read' | 'cards' | 'outside' | 'change' | 'begun';
};

export function may(role: PersonRole, verb: GuardedVerb): boolean {
  if (role === 'auditor') return verb.conduct === 'read' || verb.conduct === 'cards';
  return VERB_ROLES.indexOf(role) >= VERB_ROLES.indexOf(verb.role);
}

/** Who may use a verb, for a person who may not: `an operator`, `an administrator or an auditor`. */
export function whoMay(verb: GuardedVerb): string {
  const others = may('auditor', verb) && verb.role !== 'viewer' ? ' or an auditor' : '';
  return `${articled(verb.role)}${others}`;
}

export function articled(role: string): string {
  return `${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}`;
}
