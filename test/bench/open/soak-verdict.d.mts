type Judged = { readonly name: string; readonly growth: number; readonly most: number; readonly isFlat: boolean };

export function soakVerdict(rows: readonly Readonly<Record<string, number>>[]): readonly Judged[];
export function growthOf(values: readonly number[]): number;
