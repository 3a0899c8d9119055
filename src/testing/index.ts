// What `import … from 'tender/testing'` gives: a whole sandbox inside a test suite, with a client, a clock that can be
// put forward, a bank that misbehaves when it is asked to, a payer for hosted forms, and somebody who takes callbacks.

export type { BankBooking, BookingsAsked, TestBank } from './test-bank.ts';
export type { CallbacksAsked, ReceivedCallback } from './test-callbacks.ts';
export type { PaidForm, PayerCard } from './test-payer.ts';
export { startTestTender as startTender, type TestTender, type TestTenderOptions } from './test-tender.ts';
