/** The measurements of a benchmark. A figure over its `limit` is a failed promise; `against` says what it was measured against. */
export interface BenchResult {
  readonly name: string;
  readonly figures: readonly Figure[];
}

export interface Figure {
  readonly label: string;
  readonly value: number;
  readonly unit: string;
  readonly limit?: number;
  readonly against?: string;
}
