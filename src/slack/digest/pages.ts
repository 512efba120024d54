import type { GroupTally } from '../../domain/failure.ts';

/** What a digest's buttons show beyond its rows. */
export interface DigestPages {
  /** Some of the groups that a digest announces, in its order, its rows first, and how many there are in all. */
  digestGroups(
    digestId: string,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly groups: readonly GroupTally[]; readonly total: number }>;
  /** The groups behind what a digest only counted. */
  digestCounted(digestId: string): Promise<readonly GroupTally[]>;
}
