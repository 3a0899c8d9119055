// Payers' browsers, played by fetch, on an installation whose nodes come and go: whatever is not answered is done
// again, at any node, until the form is over and the issuer has sent the browser back.

import type { Random } from '../crash/random.ts';
import { type Fields, pause, type ReplyBody } from '../harness.ts';
import { Payer as FormPayer, hiddenFields } from '../scenarios/form-payer.ts';
import { answerIssuer, type Form, formOf, Payer, SCREEN } from '../scenarios/payer.ts';
import { lostAnswer } from './lost-questions.ts';
import { FINAL_LIMIT_MS, inTime } from './requests.ts';

const AGAIN_AFTER_MS = 150;
/** The issuer waits for the node it tells the result, which may be asleep. */
const WALK_LIMIT_MS = 15_000;
/** As long as everything else may take to end; whoever gets nowhere until then is heard of. */
export const PAYER_LIMIT_MS = 8 * 60_000;

export type PayersOptions = {
  /** Where the nodes are at this moment. */
  readonly origins: () => readonly string[];
  readonly random: Random;
};

export type FormEntry = {
  /** What is entered at each try, counted from 1. */
  readonly cardOf: (attempt: number) => Fields;
  /** How often the button is pressed, each time possibly at another node. */
  readonly clicks: number;
  /** What the issuer is told, should it ask. */
  readonly answers: readonly string[];
};

export class Payers {
  /** Whatever a payer was shown that should not have been. */
  readonly complaints: string[] = [];
  readonly #options: PayersOptions;
  /** Those who are still on their way, though nobody waits for them. */
  readonly #onTheirWay = new Set<Promise<unknown>>();

  constructor(options: PayersOptions) {
    this.#options = options;
  }

  /** A hand waits for a payer within reason; the payer goes on without it. */
  async accompany(pay: () => Promise<void>): Promise<void> {
    const paying = pay();
    this.#onTheirWay.add(paying);
    void paying.finally(() => this.#onTheirWay.delete(paying));
    await Promise.race([paying, pause(FINAL_LIMIT_MS)]);
  }

  async allDone(): Promise<void> {
    await Promise.all(this.#onTheirWay);
  }

  /** Fills in a hosted form until it wants nothing more of the payer; answers how it stands then. */
  async fillIn(address: string, entry: FormEntry): Promise<string | undefined> {
    let state: string | undefined;
    await this.#insist(address, async () => {
      state = await inTime(this.#formAt(address).state());
      if (state === 'card') await this.#enter(address, entry);
      else if (state === 'authentication') await this.authenticate(address.replace('/pay/', '/3ds/'), ...entry.answers);
      return state !== undefined && !['card', 'authentication', 'processing'].includes(state);
    });
    return state;
  }

  /** Goes the way of 3-D Secure, from wherever the browser stands, until it was sent back or need not go there. */
  async authenticate(address: string, ...answers: readonly string[]): Promise<void> {
    await this.#insist(address, () => inTime(this.#walk(address, answers), WALK_LIMIT_MS));
  }

  /**
   * From a page of the merchant to the issuer, with what STATUS gave for it; answers what the browser brings back from
   * there.
   */
  async toIssuer(status: ReplyBody, ...answers: readonly string[]): Promise<Readonly<Record<string, string>>> {
    const action = status['tds-acs-url'];
    const fields: Record<string, string> =
      status['tds-status'] === 'pareq'
        ? { PaReq: status['tds-pareq'], MD: status['tds-md'], TermUrl: 'https://shop.example/back' }
        : { creq: status['tds-creq'] };
    let brought = {};
    await this.#insist(action, async () => {
      const question = { action, fields, target: undefined };
      brought = (await inTime(atIssuer(new Payer(), question, answers), WALK_LIMIT_MS)).fields;
      return true;
    });
    return brought;
  }

  async #enter(address: string, { cardOf, clicks }: FormEntry): Promise<void> {
    const hidden = hiddenFields((await inTime(this.#formAt(address).open())).text);
    // Somebody else's click was faster.
    if (hidden.try === undefined) return;
    const card = cardOf(Number(hidden.try));
    const sent = Array.from({ length: clicks }, () => inTime(this.#formAt(address).send(hidden, card)));
    for (const result of await Promise.allSettled(sent)) {
      if (result.status === 'rejected') continue;
      const { status, text } = result.value;
      if (status !== 303 && status < 500) this.complaints.push(`a form answered ${status} ${text}`);
    }
  }

  /** As far as the way leads without waiting; true at its end. */
  async #walk(address: string, answers: readonly string[]): Promise<boolean> {
    const payer = new Payer();
    const page = await payer.open(this.#anywhere(address));
    if (page.url.includes('/pay/')) return true;
    const aboutBrowser = page.forms.find(({ action }) => action.endsWith('/continue'));
    if (aboutBrowser) await payer.send(this.#sentAnywhere(aboutBrowser), SCREEN);
    if (aboutBrowser || page.forms.length === 0) return false;
    const brought = await atIssuer(payer, formOf(page), answers);
    const action = brought.action || address.replace('/3ds/', '/3ds/notify/');
    const back = await payer.send(this.#sentAnywhere({ ...brought, action }));
    return back.status < 500;
  }

  async #insist(address: string, isDone: () => Promise<boolean>): Promise<void> {
    for (const start = Date.now(); Date.now() - start < PAYER_LIMIT_MS; ) {
      if (await isDone().catch(() => false)) return;
      await pause(AGAIN_AFTER_MS);
    }
    this.complaints.push(`a payer got nowhere at ${address}`);
  }

  #formAt(address: string): FormPayer {
    return new FormPayer(this.#origin(), address);
  }

  #sentAnywhere(form: Form): Form {
    return { ...form, action: this.#anywhere(form.action) };
  }

  /** The same page at one of the nodes, as a load balancer would choose it. */
  #anywhere(address: string): string {
    const { pathname, search } = new URL(address);
    return new URL(pathname + search, this.#origin()).href;
  }

  #origin(): string {
    const { origins, random } = this.#options;
    const all = origins();
    return all[Math.floor(random() * all.length)] as string;
  }
}

/** The form that takes the browser back; an issuer that does not know the question any more says nowhere whereto. */
async function atIssuer(payer: Payer, question: Form, answers: readonly string[]): Promise<Form> {
  const asked = await payer.send(question);
  if (asked.status === 400 || asked.status === 404)
    return { action: question.fields.TermUrl ?? '', fields: lostAnswer(question.fields), target: undefined };
  // An issuer that has made up its mind asks no more.
  const isAsking = formOf(asked).action.includes('/acs/');
  return formOf(isAsking ? await answerIssuer(payer, asked, ...answers) : asked);
}
