export class Histogram {
  readonly count: number;
  readonly max: number;
  add(microseconds: number): void;
  quantile(share: number): number;
}
