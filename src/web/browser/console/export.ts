// A long file with word of how far it has come: it is read as it is sent, and saved once it is whole. Without scripts
// the browser loads it by itself.

export function showExports(): void {
  const link = document.querySelector<HTMLAnchorElement>('a[data-export]');
  const told = document.querySelector<HTMLElement>('[data-export-progress]');
  if (!link || !told) return;
  let isUnderWay = false;
  link.addEventListener('click', (event) => {
    event.preventDefault();
    if (isUnderWay) return;
    isUnderWay = true;
    save(link.href, (text) => {
      told.textContent = text;
    })
      .catch(() => {
        told.textContent = 'It broke off, and nothing was saved. Try it again, or look for a shorter time.';
      })
      .finally(() => {
        isUnderWay = false;
      });
  });
}

const NEW_LINE = 10;

async function save(address: string, tell: (text: string) => void): Promise<void> {
  tell('The first orders are read…');
  const reply = await fetch(address, { redirect: 'error' });
  if (!reply.ok || !reply.body) throw new Error(reply.statusText);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = reply.body.getReader();
  // The first line has the names of the columns.
  let orders = -1;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    parts.push(read.value);
    for (const byte of read.value) if (byte === NEW_LINE) orders += 1;
    tell(`${Math.max(0, orders).toLocaleString()} orders so far…`);
  }
  const [, name = 'orders.csv'] = /filename="([^"]+)"/.exec(reply.headers.get('content-disposition') ?? '') ?? [];
  const file = URL.createObjectURL(new Blob(parts, { type: 'text/csv' }));
  Object.assign(document.createElement('a'), { href: file, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(file), 60_000);
  tell(`${orders.toLocaleString()} orders are saved as ${name}.`);
}
