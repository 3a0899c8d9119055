// What a bank can answer, as the rules see it: approved, declined, pending, challenge, unknown.
// `unknown` is said whenever nobody can tell whether money moved; `declined` is certain.

export type Approval = {
  readonly word: 'approved';
  readonly approvalCode: string;
  /** The retrieval reference number, twelve digits. */
  readonly rrn: string;
  readonly processorTxId: string;
  readonly terminalId?: string;
  readonly networkTransactionId?: string;
  readonly checks?: BankChecks;
  /** The answer to an eligibility question. */
  readonly eligibility?: Eligibility;
};

/** What the cardholder's bank said of what the payer typed: its codes for address and security code. */
export type BankChecks = { readonly address?: string; readonly securityCode?: string };

export type CardEligibility = {
  readonly eligible: boolean;
  readonly network: string;
  readonly product: string;
  /** ISO 3166-1 alpha-3. */
  readonly country: string;
  readonly issuer: string;
};

export type Eligibility = { readonly sending?: CardEligibility; readonly receiving?: CardEligibility };

export type Decline = {
  readonly word: 'declined';
  /** ISO 8583:1993 action code, three digits. */
  readonly code: string;
  readonly rrn?: string;
  readonly processorTxId?: string;
  readonly checks?: BankChecks;
  /**
   * The bank had approved the payout and says in so many words that it was returned. Without it a decline of what was
   * approved before contradicts the bank's own word, and books nothing.
   */
  readonly returned?: true;
};

/** The acquirer took the instruction and still works on it: ask again later. */
export type Pending = { readonly word: 'pending' };

/** The payer must go to this address of the bank; then its answer follows. */
export type Challenge = { readonly word: 'challenge'; readonly url: string };

/** For certain nothing was sent, and nothing will be: another acquirer may be asked. */
export type Unsent = { readonly word: 'unsent'; readonly reason: string; readonly fault?: 'unreachable' };

/** Nobody can tell yet whether money moved. `reason` is for logs and operators. */
export type Unknown = { readonly word: 'unknown'; readonly reason: string; readonly fault?: LineFault };

/**
 * Why there is no answer: the connection failed or broke, no answer came in time, or it could not be read. A bank that
 * says it does not know has answered, so that is no fault.
 */
export type LineFault = 'unreachable' | 'silent' | 'unreadable';

export type Answer = Approval | Decline | Pending | Challenge | Unsent | Unknown;

/** `not-found`: the acquirer says for certain that it never took an instruction with this reference. */
export type InquiryAnswer = Exclude<Answer, Unsent> | { readonly word: 'not-found' };

/** `not-found` also promises that an instruction of this reference arriving later will be refused. */
export type ReversalAnswer = { readonly word: 'reversed' } | { readonly word: 'not-found' } | Unknown;
