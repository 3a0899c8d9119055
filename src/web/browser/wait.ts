// The wait page asks for the state of the order until it changes, then loads the page that shows it.

const PAUSE_MS = 1_000;

/** After this time the payer is told that it takes longer than usual. */
const LONG_MS = 20_000;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export async function watchOutcome(section: HTMLElement): Promise<void> {
  const started = Date.now();
  while (((await stateAt(section.dataset.watch ?? '')) ?? section.dataset.state) === section.dataset.state) {
    if (Date.now() - started > LONG_MS) section.querySelector('[data-longer]')?.removeAttribute('hidden');
    await pause(PAUSE_MS);
  }
  location.replace(location.pathname + location.search);
}

/** Undefined while the service cannot be reached, which counts as no change. */
async function stateAt(address: string): Promise<string | undefined> {
  try {
    const reply = await fetch(address, { cache: 'no-store' });
    return reply.ok ? (await reply.json()).state : undefined;
  } catch {
    return undefined;
  }
}
