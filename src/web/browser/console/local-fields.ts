// Fields for moments: people type them in their own time zone, and what is sent is in UTC. Without scripts both are.

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

const twoDigits = (number: number) => String(number).padStart(2, '0');

function localText(at: Date): string {
  const day = [at.getFullYear(), twoDigits(at.getMonth() + 1), twoDigits(at.getDate())].join('-');
  return `${day}T${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
}

export function readLocalMoments(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('[data-own-zone]')) input.value = ZONE;
  for (const field of document.querySelectorAll<HTMLElement>('.moment-field')) {
    const input = field.querySelector('input');
    const zone = field.querySelector('[data-zone]');
    if (!input) continue;
    if (input.value !== '') input.value = localText(new Date(`${input.value}Z`));
    if (zone) zone.textContent = `in your time (${ZONE})`;
    input.form?.addEventListener('submit', () => {
      if (input.value === '') return;
      const sent = document.createElement('input');
      sent.type = 'hidden';
      sent.name = input.name;
      sent.value = new Date(input.value).toISOString();
      input.disabled = true;
      input.form?.append(sent);
    });
  }
}
