import type { Delivery } from '../../../src/domain/alerting/delivery.ts';
import type { DeliveryPublisher, EditOutcome, PostOutcome } from '../../../src/use-cases/alerting/deliver-messages.ts';
import type { Clock } from './model-service.ts';

export interface ModelSlack extends DeliveryPublisher {
  /** What is in the channels, by message id: more than one of an id is a repeat. */
  readonly posted: ReadonlyMap<string, number>;
  readonly calls: { posts: number; edits: number; searches: number; mostEditsInAMinute: number };
}

export interface ModelSlackOptions {
  readonly clock: Clock;
  /** How long a call takes, in milliseconds. */
  readonly callMs: number;
  readonly isAway: (at: number) => boolean;
  /** Of so many posts, the answer to one is lost although it arrived. */
  readonly losesOneIn: number;
}

/** A Slack that counts: channels are what was posted, edits are counted by the minute. */
export function createModelSlack({ clock, callMs, isAway, losesOneIn }: ModelSlackOptions): ModelSlack {
  const posted = new Map<string, number>();
  const calls = { posts: 0, edits: 0, searches: 0, mostEditsInAMinute: 0 };
  const editsByMinute = new Map<number, number>();

  function away(): boolean {
    clock.passes(callMs);
    return isAway(clock.now().getTime());
  }

  return {
    posted,
    calls,
    async post({ id }: Delivery): Promise<PostOutcome> {
      calls.posts += 1;
      if (away()) return { outcome: 'not-posted', reason: "Slack can't be reached", mend: null };
      posted.set(id, (posted.get(id) ?? 0) + 1);
      return calls.posts % losesOneIn === 0 ? { outcome: 'unknown' } : { outcome: 'posted', ts: id, fingerprint: '' };
    },
    async edit(content: Delivery): Promise<EditOutcome> {
      calls.edits += 1;
      if (away()) return { outcome: 'later', reason: "Slack can't be reached", mend: null };
      const minute = Math.floor(clock.now().getTime() / 60_000);
      editsByMinute.set(minute, (editsByMinute.get(minute) ?? 0) + 1);
      calls.mostEditsInAMinute = Math.max(calls.mostEditsInAMinute, editsByMinute.get(minute) ?? 0);
      return { outcome: 'edited', fingerprint: content.id };
    },
    async find(id) {
      calls.searches += 1;
      if (away()) return { found: 'not-now', reason: "Slack can't be reached", retryAfterMs: null };
      return posted.has(id) ? { found: 'yes', ts: id } : { found: 'no' };
    },
  };
}
