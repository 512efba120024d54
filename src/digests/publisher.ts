import type { ClaimedEdit, ClaimedPost } from '../outbox/claims.ts';
import type { Owner, WatchEnd } from '../outbox/kinds.ts';
import type { Content } from './content.ts';

export type Refused = { is: 'refused'; reason: string; retryAfterMs: number | null; fix: string | null };

export type PostOutcome =
  | { is: 'posted'; ts: string; shownHash: string }
  | Refused
  | { is: 'shut-out'; reason: string; why: WatchEnd }
  | { is: 'no-thread' | 'not-accepted' | 'unreachable'; reason: string }
  | { is: 'unknown' };

/** A direct message that Slack refuses. `code` says why. */
export interface Unreached {
  owner: Owner;
  recipient: string;
  code: string;
}

export type EditOutcome =
  | { is: 'edited' | 'unchanged'; shownHash: string }
  | Refused
  | { is: 'deleted' | 'frozen' | 'not-accepted'; reason: string };

export type Search =
  | { found: 'yes'; ts: string }
  | { found: 'no' }
  | { found: 'not-now'; reason: string; retryAfterMs: number | null };

export interface Publisher {
  post(content: Content, options: Pick<ClaimedPost, 'threadTs'> & { mayRepeat: boolean }): Promise<PostOutcome>;
  edit(content: Content, posted: Pick<ClaimedEdit, 'channel' | 'ts' | 'shownHash'>): Promise<EditOutcome>;
  /** Shows its owner a direct message that didn't arrive, where they caused it, else directly. */
  tellOwner(content: Content, unreached: Unreached): Promise<PostOutcome>;
  find(message: Pick<ClaimedPost, 'id' | 'channel' | 'threadTs'>, since: Date): Promise<Search>;
}
