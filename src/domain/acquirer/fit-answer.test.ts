import { describe, expect, it } from 'vitest';
import { fitAnswer } from './fit-answer.ts';

const APPROVED = { word: 'approved', approvalCode: 'A1B2C3', rrn: '632116000001', processorTxId: 'pi_1' } as const;

describe('an answer of a bank', () => {
  it('stays as it is when nothing is wrong with it', () => {
    const whole = {
      ...{ ...APPROVED, networkTransactionId: '411111111111111', terminalId: 'T1' },
      checks: { address: 'Y' },
      eligibility: {
        sending: { eligible: true, network: 'VISA', product: 'F', country: 'DEU', issuer: 'Bank für Sie' },
      },
    };
    expect(fitAnswer(whole)).toEqual(whole);
    expect(fitAnswer({ word: 'pending' })).toEqual({ word: 'pending' });
    const url = 'https://bank.example/confirm?of=1&mark=a%20b%2Bc';
    expect(fitAnswer({ word: 'challenge', url })).toEqual({ word: 'challenge', url });
  });

  it('holds nothing that a database cannot store, and nothing endless', () => {
    const fit = fitAnswer({
      ...{ ...APPROVED, approvalCode: 'A\u0000B\u001b\ud800', processorTxId: '9'.repeat(500_000) },
      checks: { address: 'Y\u0000' },
    });
    expect(fit).toMatchObject({ approvalCode: 'A B ', checks: { address: 'Y ' } });
    expect(fit.processorTxId).toHaveLength(256);
    expect(fitAnswer({ ...APPROVED, approvalCode: 'x'.repeat(500_000) }).approvalCode).toHaveLength(64);
    expect(fitAnswer({ word: 'challenge', url: 'https://bank.example/\u0000x' })).toMatchObject({
      url: 'https://bank.example/%00x',
    });
  });

  it('repeats no card number', () => {
    const reason = `Stripe answered 500 ${'y'.repeat(270)} 4111111111111111 ${'z'.repeat(1000)}\u001b`;
    const fit = fitAnswer({ word: 'unknown', reason });
    expect(fit).toMatchObject({ reason: expect.stringMatching(/ 411111\*+/) });
    expect(JSON.stringify(fit)).not.toContain('41111111');
    expect(fit).toMatchObject({ reason: expect.stringMatching(/^.{301}$/) });
    expect(fitAnswer({ ...APPROVED, approvalCode: '4111111111111111' }).approvalCode).toBe('411111******1111');
  });
});
