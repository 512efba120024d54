import type { Delivery } from '../../../src/domain/alerting/delivery.ts';
import { explainCause } from '../../../src/domain/causes/explain-cause.ts';
import { anEnvironment } from '../../../src/domain/environment.testing.ts';
import type { MessageContent } from '../../../src/slack/blocks/blocks.ts';
import { deliveryMessage } from '../../../src/slack/digest/delivery-message.ts';
import type { DeliveryPublisher, EditOutcome, PostOutcome } from '../../../src/use-cases/alerting/deliver-messages.ts';
import type { Clock } from './model-service.ts';

/** A message as its channel shows it. Times are milliseconds. */
export interface StandingMessage {
  readonly id: string;
  readonly kind: Delivery['kind'];
  readonly channel: string;
  /** The parent message of a reply; null for a message in the channel itself, which notifies everyone who follows the channel. */
  readonly threadTs: string | null;
  readonly mentions: boolean;
  readonly postedAt: number;
  readonly drawnAt: number;
  readonly isNew: boolean;
  readonly message: MessageContent;
}

export interface ModelSlack extends DeliveryPublisher {
  /** The number of posts by message ID; more than one is a duplicate. */
  readonly posted: ReadonlyMap<string, number>;
  /** The IDs of the messages that Notif knows were posted. */
  readonly accepted: ReadonlySet<string>;
  /** The messages posted within a day, with their latest contents. */
  readonly standing: ReadonlyMap<string, StandingMessage>;
  readonly calls: { posts: number; edits: number; searches: number; mostEditsInAMinute: number };
}

export interface ModelSlackOptions {
  readonly clock: Clock;
  /** How long a call takes, in milliseconds. */
  readonly callMs: number;
  readonly isAway: (at: number) => boolean;
  /** The answer of one in this many posts is lost although the post arrived. */
  readonly losesOneIn: number;
  /** Called with each message as it is posted or edited. */
  readonly onShown?: (message: StandingMessage) => void;
}

const DAY = 24 * 60 * 60_000;

const DRAWING = {
  environments: [anEnvironment()],
  possibleRepeat: false,
  explainCause,
  names: new Map([
    ['U0ANN', 'Ann'],
    ['U0BEN', 'Ben'],
  ]),
};

/**
 * Creates a Slack that counts: for channels it keeps posted messages with their latest contents, and for edits the number in each minute.
 */
export function createModelSlack(options: ModelSlackOptions): ModelSlack {
  const { clock, callMs, isAway, losesOneIn, onShown = () => {} } = options;
  const posted = new Map<string, number>();
  const accepted = new Set<string>();
  const standing = new Map<string, StandingMessage>();
  const calls = { posts: 0, edits: 0, searches: 0, mostEditsInAMinute: 0 };
  const editsByMinute = new Map<number, number>();

  function away(): boolean {
    clock.passes(callMs);
    return isAway(clock.now().getTime());
  }

  function show(content: Delivery, isNew: boolean, drawnAt: number): void {
    const { id, kind, channel } = content;
    const message = deliveryMessage(content, { ...DRAWING, isNew });
    const shown: StandingMessage = {
      ...{ id, kind, channel, drawnAt, message, isNew },
      postedAt: standing.get(id)?.postedAt ?? clock.now().getTime(),
      threadTs: content.kind === 'thread' ? content.threadTs : null,
      mentions: 'mention' in content && content.mention !== null,
    };
    standing.set(id, shown);
    onShown(shown);
  }

  /** Forgets messages after a day, when they are no longer edited. */
  function forget(): void {
    for (const { id, postedAt } of standing.values()) if (postedAt <= clock.now().getTime() - DAY) standing.delete(id);
  }

  return {
    posted,
    accepted,
    standing,
    calls,
    async post(content: Delivery): Promise<PostOutcome> {
      const { id } = content;
      const drawnAt = clock.now().getTime();
      calls.posts += 1;
      if (away()) return { outcome: 'not-posted', reason: "Slack can't be reached", fix: null };
      posted.set(id, (posted.get(id) ?? 0) + 1);
      forget();
      show(content, true, drawnAt);
      if (calls.posts % losesOneIn === 0) return { outcome: 'unknown' };
      accepted.add(id);
      return { outcome: 'posted', ts: id, fingerprint: '' };
    },
    async edit(content: Delivery): Promise<EditOutcome> {
      const drawnAt = clock.now().getTime();
      calls.edits += 1;
      if (away()) return { outcome: 'later', reason: "Slack can't be reached", fix: null };
      const minute = Math.floor(clock.now().getTime() / 60_000);
      editsByMinute.set(minute, (editsByMinute.get(minute) ?? 0) + 1);
      calls.mostEditsInAMinute = Math.max(calls.mostEditsInAMinute, editsByMinute.get(minute) ?? 0);
      show(content, false, drawnAt);
      return { outcome: 'edited', fingerprint: content.id };
    },
    async find({ id }) {
      calls.searches += 1;
      if (away()) return { found: 'not-now', reason: "Slack can't be reached", retryAfterMs: null };
      if (!posted.has(id)) return { found: 'no' };
      accepted.add(id);
      return { found: 'yes', ts: id };
    },
  };
}
