// Puts what 3-D Secure asks about a browser into the form's hidden fields.

export function showBrowser(form: HTMLFormElement): void {
  const facts: Readonly<Record<string, string>> = {
    javascript_enabled: 'true',
    color_depth: String(screen.colorDepth),
    java_enabled: 'false',
    language: navigator.language,
    screen_height: String(screen.height),
    screen_width: String(screen.width),
    time_zone: String(new Date().getTimezoneOffset()),
  };
  for (const input of form.querySelectorAll<HTMLInputElement>('[data-browser]')) {
    input.value = facts[input.dataset.browser ?? ''] ?? '';
  }
}
