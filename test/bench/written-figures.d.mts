export function withFigures(page: string, figures: string): string;
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string;
