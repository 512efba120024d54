import type { GroupTally } from '../../domain/failure.ts';

/** What a digest's buttons show beyond its rows. */
export interface DigestPages {
  /** A page of the groups that a digest announces, its rows among them, in the order of `compareTallies`; pages count from 0. */
  digestGroups(digestId: string, page: number): Promise<readonly GroupTally[]>;
  /** The groups behind what a digest only counted. */
  digestCounted(digestId: string): Promise<readonly GroupTally[]>;
}
