export function barChart(of: {
  readonly title: string;
  readonly bars: readonly {
    readonly name: string;
    readonly value: number;
    readonly figure: string;
    readonly isMark?: boolean;
  }[];
}): string;
