// What every connector promises, whatever its bank speaks. The suite knows no connector: a subject brings one together
// with a counterpart that plays its bank.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Answer, Approval, FollowUpInstruction, InstructionKind } from '../../src/acquirers/acquirer.ts';
import { AMOUNT, CARD_NUMBER, Conversation, OTHER_CARD_NUMBER, type Talk } from './connector-conversation.ts';
import { type Asked, type ConnectorSubject, MISHAPS, type Mishap } from './connector-subject.ts';
import { HurriedClock } from './hurried-clock.ts';

const FIRST_KINDS = ['sale', 'preauth', 'pull', 'verification', 'push', 'eligibility'] as const;
const FOLLOW_UPS = ['capture', 'cancel', 'void', 'refund'] as const;

/** Mishaps after which nobody who only saw the line can tell what the bank did. */
const DOUBTFUL = ['lost', 'unanswered', 'late', 'garbage', 'cut', 'frozen'] as const satisfies readonly Mishap[];
/** Those of them in which the bank carried the instruction out. */
const CARRIED_OUT: readonly Mishap[] = ['unanswered', 'late', 'garbage', 'cut'];

const TAKEN_BACK = /^(reversed|not-found)$/;

const MANY = 200;
const MOST_TRIES = 20;
const MINUTES_AWAY = 10;
const A_MINUTE_MS = 60_000;

export function connectorContract(subject: ConnectorSubject): void {
  const { does, partial, inquiry } = subject.connector;
  const { mishaps = MISHAPS, asksFirst = [] } = subject;
  const { recognises = inquiry !== 'none', capturesOften = partial.includes('capture') } = subject;
  const can = (...kinds: InstructionKind[]) => kinds.every((kind) => does.includes(kind));
  const firsts = FIRST_KINDS.filter((kind) => can(kind));
  const followUps = FOLLOW_UPS.filter((kind) => can(kind));
  const doubtful = DOUBTFUL.filter((mishap) => mishaps.includes(mishap));

  describe(`a connector: ${subject.name}`, () => {
    let talks: Conversation;
    let patient: Talk;
    beforeEach(async () => {
      talks = await Conversation.begin(subject);
      patient = talks.patient();
    });
    afterEach(async () => {
      const said = talks.everythingSaid();
      await talks.end();
      expect(secretsIn(said, subject)).toEqual([]);
    });

    const booked = (asked: Asked) => talks.booked(asked);
    const declining = (asked: Asked) => talks.counterpart.declining(asked);
    const misbehave = (mishap?: Mishap) => talks.counterpart.misbehave(mishap);

    /** Sends it and expects it to be approved. */
    async function approve(asked: Asked, talk = patient): Promise<Approval> {
      const answer = await talk.send(asked);
      expect(answer).toMatchObject({ word: 'approved' });
      return answer as Approval;
    }

    /** A follow-up of this kind, of something that was approved for it. */
    async function newFollowUp(kind: FollowUpInstruction['kind'], minor = AMOUNT) {
      const first = talks.ask(kind === 'capture' || kind === 'cancel' ? 'preauth' : 'sale');
      return talks.followUp(kind, first, await approve(first), minor);
    }

    const newOf = (kind: InstructionKind): Promise<Asked> | Asked =>
      isFollowUp(kind) ? newFollowUp(kind) : talks.ask(kind);

    const reversalOf = async (asked: Asked, talk: Talk) => (await talk.reverse(asked, true)).word;

    /** Asks until the bank says for certain. */
    async function takeBack(asked: Asked, talk = patient): Promise<string> {
      let { word } = await talk.reverse(asked, false);
      for (let tries = 1; word === 'unknown' && tries < MOST_TRIES; tries += 1) word = await reversalOf(asked, talk);
      return word;
    }

    const untilItWorks = (talk: Talk, beforeEachTry = () => {}) =>
      expect
        .poll(async () => {
          beforeEachTry();
          return (await talk.send(talks.sale())).word;
        })
        .toBe('approved');

    describe('answers', () => {
      it.each([...firsts, ...followUps])('a %s that is approved is carried out once', async (kind) => {
        const asked = await newOf(kind);
        const approval = await approve(asked);
        for (const name of ['approvalCode', 'rrn', 'processorTxId'] as const) {
          expect(approval[name], name).toEqual(expect.any(String));
        }
        expect(await booked(asked)).toEqual({ times: 1, net: amountOf(asked) });
      });

      it.each([...firsts, ...followUps])('a %s that is declined moves no money, and stays declined', async (kind) => {
        const asked = await declining(await newOf(kind));
        const answer = await patient.send(asked);
        expect(answer).toMatchObject({ word: 'declined', code: expect.stringMatching(/^\d{3}$/) });
        expect(await booked(asked)).toEqual({ times: 0, net: 0n });
        const { code } = answer as Extract<Answer, { word: 'declined' }>;
        if (recognises) expect(await patient.send(asked)).toMatchObject({ word: 'declined', code });
        if (inquiry === 'message') expect(await patient.inquire(asked)).toMatchObject({ word: 'declined', code });
        expect(await booked(asked)).toEqual({ times: 0, net: 0n });
      });

      it('what it does not do is refused for certain', async () => {
        for (const kind of FIRST_KINDS.filter((one) => !can(one))) {
          const asked = talks.ask(kind);
          const { word } = await patient.send(asked);
          expect([kind, ['unsent', 'declined'].includes(word), word]).toEqual([kind, true, word]);
          expect(await booked(asked)).toEqual({ times: 0, net: 0n });
        }
      });

      it(`${MANY} at once get an answer each, and each its own`, async () => {
        const asked: Asked[] = [];
        for (let index = 0; index < MANY; index += 1) {
          asked.push(index % 3 === 0 ? await declining(talks.sale()) : talks.sale());
        }
        const answers = await Promise.all(asked.map((one) => patient.send(one)));
        expect(answers.map(({ word }) => word)).toEqual(
          asked.map((_, index) => (index % 3 === 0 ? 'declined' : 'approved')),
        );
        const approvals = answers.filter((answer) => answer.word === 'approved');
        expect(new Set(approvals.map(({ processorTxId }) => processorTxId)).size).toBe(approvals.length);
        for (const [index, one] of asked.entries()) {
          const expected = index % 3 === 0 ? { times: 0, net: 0n } : { times: 1, net: AMOUNT };
          expect(await booked(one)).toEqual(expected);
        }
      });

      it('it can be tried without money, and says what it saw', async () => {
        const lines = await patient.test();
        expect(lines.length).toBeGreaterThan(0);
        expect(lines.filter(({ works }) => !works)).toEqual([]);
      });
    });

    describe('follow-ups', () => {
      if (can('preauth', 'capture') && capturesOften)
        it('a hold is captured in two parts', async () => {
          const hold = talks.ask('preauth');
          const approval = await approve(hold);
          const parts = [
            talks.followUp('capture', hold, approval, 1000n),
            talks.followUp('capture', hold, approval, 42n),
          ];
          for (const part of parts) await approve(part);
          expect(await Promise.all(parts.map(booked))).toEqual([
            { times: 1, net: 1000n },
            { times: 1, net: 42n },
          ]);
        });

      if (can('sale', 'refund') && partial.includes('refund'))
        it('a sale is refunded in two parts', async () => {
          const sale = talks.sale();
          const approval = await approve(sale);
          const parts = [
            talks.followUp('refund', sale, approval, 42n),
            talks.followUp('refund', sale, approval, 1000n),
          ];
          for (const part of parts) await approve(part);
          expect(await Promise.all(parts.map(booked))).toEqual([
            { times: 1, net: 42n },
            { times: 1, net: 1000n },
          ]);
        });

      if (can('preauth', 'capture') && partial.includes('capture'))
        it('a part of a hold is captured', async () => {
          const capture = await newFollowUp('capture', 1000n);
          await approve(capture);
          expect(await booked(capture)).toEqual({ times: 1, net: 1000n });
        });

      if (can('preauth', 'cancel') && partial.includes('cancel'))
        it('a part of a hold is given up', async () => {
          const cancel = await newFollowUp('cancel', 42n);
          await approve(cancel);
          expect(await booked(cancel)).toEqual({ times: 1, net: 42n });
        });

      if (can('preauth', 'capture', 'refund'))
        it('what was captured is refunded', async () => {
          const hold = talks.ask('preauth');
          const capture = talks.followUp('capture', hold, await approve(hold));
          const refund = talks.followUp('refund', capture, await approve(capture));
          await approve(refund);
          expect(await booked(refund)).toEqual({ times: 1, net: AMOUNT });
        });
    });

    if (recognises)
      describe('the same reference', () => {
        it.each([...firsts, ...followUps])('a %s that is sent again is answered alike and done once', async (kind) => {
          const asked = await newOf(kind);
          const approval = await approve(asked);
          expect(await patient.send(asked)).toEqual(approval);
          expect(await talks.patient().send(asked)).toEqual(approval);
          expect(await booked(asked)).toEqual({ times: 1, net: amountOf(asked) });
        });

        it('sent by several nodes at once it is done once', async () => {
          const asked = talks.sale();
          const nodes = [patient, talks.patient(), talks.patient()];
          const answers = await Promise.all([...nodes, ...nodes].map((node) => node.send(asked)));
          const words = new Set(answers.map(({ word }) => word));
          expect([...words].filter((word) => word === 'declined' || word === 'challenge')).toEqual([]);
          expect(words).toContain('approved');
          expect(await booked(asked)).toEqual({ times: 1, net: AMOUNT });
        });
      });

    describe('taking back', () => {
      it('what was approved is taken back, once, however often that is asked for', async () => {
        const asked = talks.sale();
        await approve(asked);
        expect([await takeBack(asked), await takeBack(asked)]).toEqual(['reversed', 'reversed']);
        expect(await booked(asked)).toEqual({ times: 1, net: 0n });
      });

      it('what the bank never saw is not found, and barred when it arrives later', async () => {
        const asked = talks.sale();
        const { word } = await patient.reverse(asked, true);
        expect(['not-found', 'unknown']).toContain(word);
        if (word === 'unknown') return;
        // Some banks can only be made to leave it open for ever.
        expect((await talks.hasty().send(asked)).word).not.toBe('approved');
        expect((await booked(asked)).net).toBe(0n);
      });
    });

    describe('when something goes wrong on the line', () => {
      it.each(doubtful)('%s: it is unknown, never declined, until it is found out or taken back', async (mishap) => {
        const hasty = await talks.connectedHasty();
        await misbehave(mishap);
        const asked = talks.sale();
        const isCarriedOut = CARRIED_OUT.includes(mishap);
        const answer = await hasty.send(asked);
        expect(answer).toMatchObject({ reason: expect.stringMatching(/./) });
        expect(isCarriedOut ? ['unknown'] : ['unknown', 'unsent']).toContain(answer.word);
        if (isCarriedOut) await expect.poll(() => booked(asked)).toEqual({ times: 1, net: AMOUNT });
        await misbehave();
        if (inquiry === 'none') expect((await hasty.inquire(asked)).word).toBe('unknown');
        else if (isCarriedOut) await expect.poll(() => hasty.inquire(asked)).toMatchObject({ word: 'approved' });
        else expect((await hasty.inquire(asked)).word).not.toBe('declined');
        await expect.poll(() => reversalOf(asked, hasty)).toMatch(isCarriedOut ? /^reversed$/ : TAKEN_BACK);
        expect((await booked(asked)).net).toBe(0n);
        await untilItWorks(hasty);
      });

      it.each(doubtful)('%s: questions without an answer are unknown too, and change nothing', async (mishap) => {
        const hasty = await talks.connectedHasty();
        const asked = talks.sale();
        await approve(asked);
        await misbehave(mishap);
        expect((await hasty.inquire(asked)).word).toBe('unknown');
        await misbehave();
        expect(await booked(asked)).toEqual({ times: 1, net: AMOUNT });
        await misbehave(mishap);
        expect((await hasty.reverse(asked, false)).word).toBe('unknown');
        await misbehave();
        await expect.poll(() => reversalOf(asked, hasty)).toBe('reversed');
        expect(await booked(asked)).toEqual({ times: 1, net: 0n });
      });

      if (inquiry !== 'none' && mishaps.includes('unanswered'))
        it.each([...firsts, ...followUps])('a %s whose answer is lost is found, and done once', async (kind) => {
          const asked = await newOf(kind);
          const done = { times: 1, net: amountOf(asked) };
          const hasty = await talks.connectedHasty();
          await misbehave('unanswered');
          expect((await hasty.send(asked)).word).toBe('unknown');
          if (!asksFirst.includes(kind)) await expect.poll(() => booked(asked)).toEqual(done);
          await misbehave();
          const found = async () => (await patient.inquire(asked)).word;
          await expect.poll(found).toMatch(asksFirst.includes(kind) ? /^(approved|not-found)$/ : /^approved$/);
          expect(await booked(asked)).toEqual((await found()) === 'approved' ? done : { times: 0, net: 0n });
        });

      if (mishaps.includes('doubled'))
        it('an answer that comes twice answers nothing else', async () => {
          await misbehave('doubled');
          const asked = Array.from({ length: 5 }, () => talks.sale());
          for (const one of asked) {
            await approve(one);
            expect(await patient.send(await declining(talks.sale()))).toMatchObject({ word: 'declined' });
          }
          for (const one of asked) expect(await booked(one)).toEqual({ times: 1, net: AMOUNT });
        });

      if (mishaps.includes('late'))
        it('an answer that comes too late answers nothing else', async () => {
          const hasty = await talks.connectedHasty();
          await misbehave('late');
          const late = Array.from({ length: 5 }, () => talks.sale());
          const answers = await Promise.all(late.map((one) => hasty.send(one)));
          expect(answers.map(({ word }) => word)).toEqual(late.map(() => 'unknown'));
          const next = await Promise.all(late.map(() => declining(talks.sale())));
          const words = Promise.all(next.map(async (one) => (await hasty.send(one)).word));
          await misbehave();
          for (const word of await words) expect(['declined', 'unknown']).toContain(word);
          for (const one of late) await expect.poll(() => booked(one)).toEqual({ times: 1, net: AMOUNT });
        });

      if (mishaps.includes('late'))
        it('answers that come in another order than the questions find their own', async () => {
          await approve(talks.sale());
          await misbehave('late');
          const asked = await Promise.all(
            Array.from({ length: 10 }, async (_, index) =>
              index % 2 === 0 ? talks.sale() : await declining(talks.sale()),
            ),
          );
          const answers = Promise.all(asked.map((one) => patient.send(one)));
          for (const one of asked.filter((_, index) => index % 2 === 0)) {
            await expect.poll(() => booked(one)).toEqual({ times: 1, net: AMOUNT });
          }
          await misbehave();
          expect((await answers).map(({ word }) => word)).toEqual(
            asked.map((_, index) => (index % 2 === 0 ? 'approved' : 'declined')),
          );
        });

      it('whatever goes wrong, what is said in the end is what the bank booked', async () => {
        const hasty = await talks.connectedHasty();
        const asked: Asked[] = [];
        const said = new Map<Asked, string>();
        for (const mishap of mishaps.filter((one) => one !== 'away')) {
          const some = Array.from({ length: 4 }, () => talks.sale());
          const declined = await declining(talks.sale());
          asked.push(...some, declined);
          await misbehave(mishap);
          await Promise.all([...some, declined].map(async (one) => said.set(one, (await hasty.send(one)).word)));
          await misbehave();
          await untilItWorks(hasty);
        }
        // What was opened before may wait on a frozen connection for ever.
        const fresh = talks.patient();
        for (const one of asked) {
          const first = said.get(one);
          const isOpen = first !== 'approved' && first !== 'declined';
          const found = isOpen && inquiry !== 'none' ? (await fresh.inquire(one)).word : first;
          if (found !== 'approved' && found !== 'declined' && found !== 'not-found') await takeBack(one, fresh);
          expect((await booked(one)).net, `${first}, then ${found}`).toBe(found === 'approved' ? AMOUNT : 0n);
          expect((await booked(one)).times).toBeLessThanOrEqual(1);
        }
      });
    });

    if (mishaps.includes('away'))
      describe('a bank that is away', () => {
        it('is told as unsent or unknown, never declined, and works again when it is back', async () => {
          const clock = new HurriedClock();
          const talk = talks.hasty(clock);
          await untilItWorks(talk);
          await misbehave('away');
          const asked = Array.from({ length: MINUTES_AWAY }, () => talks.sale());
          for (const sale of asked) {
            expect(['unsent', 'unknown']).toContain((await talk.send(sale)).word);
            clock.skip(A_MINUTE_MS);
          }
          expect((await talk.inquire(talks.sale())).word).toBe('unknown');
          expect((await talk.reverse(talks.sale())).word).toBe('unknown');
          await misbehave();
          await untilItWorks(talk, () => clock.skip(A_MINUTE_MS));
          for (const sale of asked) expect(await booked(sale)).toEqual({ times: 0, net: 0n });
        });

        it('does not keep a connector from being opened, and is told when it is tried', async () => {
          await misbehave('away');
          const clock = new HurriedClock();
          const talk = talks.hasty(clock);
          const lines = await talk.test();
          expect(lines.some(({ works, detail }) => !works && detail)).toBe(true);
          await misbehave();
          await untilItWorks(talk, () => clock.skip(A_MINUTE_MS));
        });
      });

    describe('closing', () => {
      it('ends what still waits, and takes nothing more', async () => {
        await approve(talks.sale());
        await misbehave('lost');
        const waiting = [patient.send(talks.sale()), patient.inquire(talks.sale()), patient.reverse(talks.sale())];
        await patient.close();
        await patient.close();
        const later = [patient.send(talks.sale()), patient.inquire(talks.sale()), patient.reverse(talks.sale())];
        for (const { word } of await Promise.all([...waiting, ...later])) {
          expect(['unsent', 'unknown']).toContain(word);
        }
      });
    });
  });
}

const isFollowUp = (kind: InstructionKind): kind is FollowUpInstruction['kind'] =>
  FOLLOW_UPS.some((one) => one === kind);

const amountOf = ({ instruction }: Asked) => ('amount' in instruction ? instruction.amount.minor : 0n);

/** How long something took, and random ids: they may hold the digits of a security code by chance. */
const BY_CHANCE = / after \d+ ms\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

/** Which secrets a text holds, however a message writes them. */
function secretsIn(text: string, { cvv, keys }: ConnectorSubject): string[] {
  const spellings = (secret: string) => [
    secret,
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -1),
  ];
  const whole = [CARD_NUMBER, OTHER_CARD_NUMBER, ...keys].filter((secret) =>
    spellings(secret).some((spelling) => text.includes(spelling)),
  );
  const certain = text.replaceAll(BY_CHANCE, '');
  return new RegExp(`(?<![\\w.])${cvv}(?![\\w.])`).test(certain) ? [...whole, cvv] : whole;
}
