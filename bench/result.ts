/** The measurements of a benchmark. A figure over its `limit` is a failed promise; `against` says what it was measured against. */
export interface BenchResult {
  name: string;
  figures: readonly Figure[];
}

export interface Figure {
  label: string;
  value: number;
  unit: string;
  limit?: number;
  against?: string;
}
