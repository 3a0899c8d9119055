// Waits for an order to change, as long as a bank may take, and then shows it anew. Whoever types is not disturbed.

import { BY_ITSELF } from './by-itself.ts';

const EVERY_MS = 1_000;
const MOST_LOOKS = 60;

export function watchOrder(): void {
  const address = document.querySelector<HTMLElement>('[data-watch]')?.dataset.watch;
  if (address === undefined) return;
  let first: string | undefined;
  let looks = 0;
  const look = async () => {
    const text = await (await fetch(address, { headers: BY_ITSELF, redirect: 'error' })).text();
    first ??= text;
    const isTyping = document.activeElement instanceof HTMLInputElement;
    if (text !== first && !isTyping) return location.reload();
    looks += 1;
    if (looks < MOST_LOOKS) setTimeout(again, EVERY_MS);
  };
  const again = () => void look().catch(() => {});
  again();
}
