// Moments, as answers to an administrator write them.

export function written(moment: number): string {
  return new Date(moment).toISOString();
}

export function writtenIfAny(moment: number | undefined): string | null {
  return moment === undefined ? null : written(moment);
}
