// What the pages of set-up do where scripts run: copy a key, say what rules mean while they are typed, and let a
// preview follow the look that is being chosen. The server is asked for colours, by the rules it saves them by.

const WAIT_MS = 250;

export function helpSetup(): void {
  copyOnClick();
  checkWhileTyping();
  previewLook();
}

function copyOnClick(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    const source = document.getElementById(button.dataset.copy ?? '');
    if (!source || !navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(source.textContent ?? '');
      button.textContent = 'Copied';
    });
  }
}

/** Does some work once nothing has happened for a moment; of several answers the last asked for counts. */
function afterTyping(work: (isLast: () => boolean) => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let turn = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      turn += 1;
      const own = turn;
      work(() => own === turn).catch(() => {});
    }, WAIT_MS);
  };
}

async function ask<T>(address: string, values: Record<string, string>): Promise<T> {
  const reply = await fetch(`${address}?${new URLSearchParams(values)}`, { redirect: 'error' });
  if (!reply.ok) throw new Error(reply.statusText);
  return reply.json();
}

function listed(lines: readonly string[], isBad: boolean): HTMLElement[] {
  return lines.map((line) => {
    const paragraph = document.createElement('p');
    paragraph.textContent = line;
    paragraph.className = isBad ? 'notice bad' : 'hint';
    return paragraph;
  });
}

function checkWhileTyping(): void {
  for (const place of document.querySelectorAll<HTMLElement>('[data-check]')) {
    const field = document.getElementById(place.dataset.check ?? '');
    if (!(field instanceof HTMLTextAreaElement)) continue;
    const look = afterTyping(async (isLast) => {
      const { lines, fault } = await ask<{ lines: string[]; fault?: string }>(place.dataset.address ?? '', {
        text: field.value,
      });
      if (isLast()) place.replaceChildren(...listed(lines, false), ...listed(fault === undefined ? [] : [fault], true));
    });
    field.addEventListener('input', look);
  }
}

type Colours = { light: Record<string, string>; dark: Record<string, string>; faults: string[] };

function previewLook(): void {
  const preview = document.querySelector<HTMLElement>('[data-look]');
  const form = document.querySelector<HTMLFormElement>('form[action$="/look/save"]');
  if (!preview || !form) return;
  const typed = (name: string) => {
    const field = form.elements.namedItem(name);
    return field instanceof HTMLInputElement ? field.value.trim() : '';
  };
  const faults = document.getElementById('look-faults');
  const colour = afterTyping(async (isLast) => {
    const given = { accent: typed('accent'), accentDark: typed('accentDark'), background: typed('background') };
    const colours = await ask<Colours>(preview.dataset.address ?? '', given);
    if (!isLast()) return;
    for (const which of ['light', 'dark'] as const) {
      const part = preview.querySelector<HTMLElement>(`.${which}`);
      for (const [name, value] of Object.entries(colours[which])) part?.style.setProperty(name, value);
    }
    faults?.replaceChildren(...listed(colours.faults, true));
  });
  const words = () => {
    const texts = {
      name: typed('name') || (preview.dataset.merchant ?? ''),
      intro: typed('intro'),
      help: typed('help'),
    };
    for (const [name, text] of Object.entries(texts)) {
      for (const part of preview.querySelectorAll(`[data-part="${name}"]`)) part.textContent = text;
    }
  };
  form.addEventListener('input', () => {
    words();
    colour();
  });
  const file = form.elements.namedItem('logo');
  if (file instanceof HTMLInputElement) file.addEventListener('change', () => void drawLogo(preview, file));
}

/** On a canvas: the page may show no pictures but the gateway's own. */
async function drawLogo(preview: HTMLElement, { files }: HTMLInputElement): Promise<void> {
  const picture = files?.[0] && (await createImageBitmap(files[0]).catch(() => undefined));
  if (!picture) return;
  for (const canvas of preview.querySelectorAll<HTMLCanvasElement>('.preview-logo')) {
    canvas.width = Math.max(1, Math.round((picture.width * canvas.height) / picture.height));
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    canvas.hidden = false;
  }
  for (const old of preview.querySelectorAll<HTMLElement>('img.logo, [data-part="name"]')) old.hidden = true;
}
