import { type DigestPlan, planDigest, type Untold } from '../domain/digest.ts';
import type { Logger } from '../domain/logger.ts';

export interface AnnouncingStore {
  /**
   * For each watch, in one transaction: reads what it has not been told about an environment, asks `plan` and, when that names a
   * digest, writes it with its announcements, to be delivered. Returns the ids of the digests written.
   */
  announce(environment: string, plan: (untold: Untold) => DigestPlan | null, now: Date): Promise<string[]>;
}

/** Decides what is to be said to every watch about an environment, and writes it down to be delivered. */
export async function announceFailures(
  environment: string,
  parts: { readonly store: AnnouncingStore; readonly logger: Logger; readonly now: () => Date },
): Promise<string[]> {
  const now = parts.now();
  const digestIds = await parts.store.announce(environment, (untold) => planDigest(untold, now), now);
  for (const digestId of digestIds) parts.logger.info({ environment, digestId }, 'digest written');
  return digestIds;
}
