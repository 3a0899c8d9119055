// How an authentication ends: with what the issuer said, if its values fit together, or with the reason why not.

import type { AuthenticationStatus } from '../domain/three-d-secure/authentication.ts';
import type {
  AuthenticationOutcome,
  AuthenticationStep,
  ChallengeIds,
} from '../domain/three-d-secure/authentication-record.ts';
import { eciFits } from './messages/index.ts';

export type At<Name extends AuthenticationStep['name']> = Extract<AuthenticationStep, { name: Name }>;

/** `proof` is the issuer's proof that the payer was authenticated. */
export type Moved = { readonly to: AuthenticationStep; readonly proof?: string | undefined };

/** What an ARes, an RReq and, under other names, a PARes say. */
export type IssuersWord = {
  readonly transStatus?: string | undefined;
  readonly transStatusReason?: string | undefined;
  readonly challengeCancel?: string | undefined;
  readonly authenticationValue?: string | undefined;
  readonly eci?: string | undefined;
  readonly cardholderInfo?: string | undefined;
};

const STATUSES: ReadonlySet<string> = new Set(['Y', 'A', 'N', 'R', 'U', 'I'] satisfies AuthenticationStatus[]);

/** The payer cancelled the challenge at the issuer's page. */
const CANCELLED = '01';

/** Values that contradict each other authenticate nobody; a proof is kept only for the statuses Y and A. */
export function concluded(step: AuthenticationStep, said: IssuersWord, ids = idsOf(step)): Moved {
  const {
    transStatus: status,
    transStatusReason: reason,
    eci,
    challengeCancel,
    authenticationValue,
    cardholderInfo,
  } = said;
  if (status === undefined || !STATUSES.has(status)) return over(step, 'U', { reason: `transStatus ${status}`, ids });
  if (!eciFits(status, eci)) return over(step, 'U', { reason: `transStatus ${status} with eci ${eci}`, ids });
  const isProved = status === 'Y' || status === 'A';
  const isCancelled = status === 'N' && challengeCancel === CANCELLED;
  const { to } = over(step, status as AuthenticationStatus, { reason, eci, isCancelled, ids, cardholderInfo });
  return { to, proof: isProved ? authenticationValue : undefined };
}

type Ending = Partial<
  Pick<AuthenticationOutcome, 'reason' | 'eci' | 'isCancelled' | 'isLeftOut' | 'isOutOfTime' | 'ids'>
> & { readonly cardholderInfo?: string | undefined };

export function over(step: AuthenticationStep, status: AuthenticationStatus, ending: Ending): Moved {
  const { reason, eci, isCancelled = false, isLeftOut, isOutOfTime, ids = idsOf(step) } = ending;
  const cardholderInfo = ending.cardholderInfo ?? (step.name === 'challenge' ? step.cardholderInfo : undefined);
  const outcome: AuthenticationOutcome = {
    status,
    protocol: protocolOf(step),
    reason,
    isCancelled,
    eci,
    ids,
    xid: step.name === 'pareq' ? step.xid : undefined,
    browserSaid: step.name === 'challenge' ? step.browserSaid : undefined,
    wasChallenged: step.name === 'challenge' || step.name === 'pareq',
    ...(cardholderInfo === undefined ? {} : { cardholderInfo }),
    ...(isLeftOut ? { isLeftOut } : {}),
    ...(isOutOfTime ? { isOutOfTime } : {}),
  };
  return { to: { name: 'over', outcome, isTold: false } };
}

function protocolOf(step: AuthenticationStep): AuthenticationOutcome['protocol'] {
  if ('protocol' in step) return step.protocol;
  return step.name === 'pareq' || step.name === 'enrolling' ? '1.0.2' : undefined;
}

function idsOf(step: AuthenticationStep): Partial<ChallengeIds> {
  if (step.name === 'challenge') return step.ids;
  return 'transactionId' in step ? { threeDSServerTransID: step.transactionId } : {};
}
