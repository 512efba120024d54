import type { DigestRow } from '../../domain/alerting/delivery.ts';

/** What a digest's buttons show in addition to its rows. */
export interface DigestPages {
  /** Returns some of a digest's groups as of `now`, starting with those in its rows, and their total number. */
  digestRows(
    digestId: string,
    page: { readonly offset: number; readonly limit: number },
    now: Date,
  ): Promise<{ readonly rows: readonly DigestRow[]; readonly total: number }>;
}
