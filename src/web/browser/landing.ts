// What the landing page of a sandbox does where scripts run: a button copies the command above it.

const SAID_MS = 2_000;

function offerCopy(button: HTMLButtonElement): void {
  const text = document.getElementById(button.dataset.copy ?? '')?.textContent;
  // Browsers offer the clipboard on this machine and under https only.
  if (!text || !navigator.clipboard) return;
  const label = button.textContent;
  button.removeAttribute('hidden');
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = label;
    }, SAID_MS);
  });
}

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) offerCopy(button);
