export function documentationSources(root: string): string[];
