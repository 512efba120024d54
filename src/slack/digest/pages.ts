import type { DigestRow } from '../../domain/alerting/delivery.ts';

/** What a digest's buttons show beyond its rows. */
export interface DigestPages {
  /** Some of the groups that a digest announces, as they are at `now`, and how many there are in all; those of its rows are the first. */
  digestRows(
    digestId: string,
    page: { readonly offset: number; readonly limit: number },
    now: Date,
  ): Promise<{ readonly rows: readonly DigestRow[]; readonly total: number }>;
}
