export function arrivals(of: {
  readonly rate: number;
  readonly kind?: 'constant' | 'poisson';
  readonly seed?: number;
}): () => number;
export function seeded(seed: number): () => number;
