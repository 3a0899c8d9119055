// Keeps parts of a page up to date: the page is asked for again, and the parts that changed are put in the place of
// their older selves. Nothing is replaced that its reader has the focus in.

import { BY_ITSELF } from './by-itself.ts';

const LONGEST_WAIT_MS = 60_000;

export function keepLive(shown: (place: ParentNode) => void): void {
  const parts = [...document.querySelectorAll<HTMLElement>('[data-live]')];
  if (parts.length === 0) return;
  const everyMs = Math.min(...parts.map(({ dataset }) => Number(dataset.live) * 1_000));
  const before = new Map(parts.map(({ id, innerHTML }) => [id, innerHTML]));
  let waitMs = everyMs;

  const look = async () => {
    if (document.hidden) return;
    const reply = await fetch(location.href, { headers: { Accept: 'text/html', ...BY_ITSELF }, redirect: 'error' });
    if (!reply.ok) throw new Error(reply.statusText);
    const newer = new DOMParser().parseFromString(await reply.text(), 'text/html');
    for (const { id } of parts) {
      const [old, next] = [document.getElementById(id), newer.getElementById(id)];
      if (!old || !next || before.get(id) === next.innerHTML || old.contains(document.activeElement)) continue;
      before.set(id, next.innerHTML);
      old.replaceChildren(...next.childNodes);
      shown(old);
      old.dispatchEvent(new CustomEvent('tender-live', { bubbles: true }));
    }
  };
  const again = () => {
    look()
      .then(
        () => (waitMs = everyMs),
        () => (waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)),
      )
      .finally(() => setTimeout(again, waitMs));
  };
  setTimeout(again, waitMs);
}
