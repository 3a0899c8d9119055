// A button beside every piece of code copies it.

const COPIED_MS = 2_000;

export function offerCopies(): void {
  // Browsers offer the clipboard on this machine and under https only.
  if (!navigator.clipboard) return;
  for (const block of document.querySelectorAll<HTMLElement>('.code')) block.append(copyButton(block));
}

function copyButton(block: HTMLElement): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '');
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, COPIED_MS);
  });
  return button;
}
