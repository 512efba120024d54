import type { Repetition } from '../delivery.ts';
import { stringIn } from '../json.ts';
import { Later } from '../later.ts';
import type { Json } from '../page-protocol.ts';
import type { Grants } from '../state/grants.ts';
import type { WayToBot } from '../way-to-bot.ts';
import { limitBody } from './event-body.ts';
import { EventQuota } from './event-quota.ts';

export type BotEvent = Json & { readonly type: string };

/** Slack redelivers an unacknowledged event at once, after one minute and after five, and then gives up. */
const PAUSES_MS: readonly number[] = [0, 60_000, 300_000];

/** The scopes of each event that Slack sends only with one of them. Other events of this workspace need none. */
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  app_mention: ['app_mentions:read'],
  'message.im': ['im:history'],
  link_shared: ['links:read'],
  channel_archive: ['channels:read'],
  channel_unarchive: ['channels:read'],
  channel_left: ['channels:read'],
  group_archive: ['groups:read'],
  group_unarchive: ['groups:read'],
  group_left: ['groups:read'],
  member_joined_channel: ['channels:read', 'groups:read'],
  member_left_channel: ['channels:read', 'groups:read'],
};

interface Told {
  readonly body: Json;
  /** Undefined until the first redelivery. */
  readonly repetition: Repetition | undefined;
}

export interface EventParts {
  /** The manifest's `bot_events`. */
  readonly subscriptions: readonly string[];
  readonly grants: Grants;
  readonly bot: Pick<WayToBot, 'deliver'>;
  readonly now: () => number;
  /** Returns the body in which Slack delivers an event. */
  readonly wrap: (event: BotEvent) => Json;
}

/** Sends the bot its subscribed events, and redelivers them under the same `event_id` if they aren't acknowledged. */
export class Events {
  readonly #parts: EventParts;
  readonly #quota: EventQuota;
  /** A delivery never rejects: an error is its outcome. */
  readonly #again: Later<Told>;
  #last: Told | undefined;

  constructor(parts: EventParts) {
    this.#parts = parts;
    this.#quota = new EventQuota(parts.now);
    this.#again = new Later(parts.now, (told) => void this.#deliver(told));
  }

  /**
   * Sends an event if the bot has subscribed to it and has its scope. Waits for the acknowledgment of the first delivery.
   *
   * @param subscription its name in the manifest, if that isn't the event's type: `message.im`.
   */
  async tell(event: BotEvent, subscription: string = event.type): Promise<void> {
    if (!this.#isHeard(subscription)) return;
    await this.#deliver({ body: this.#parts.wrap(event), repetition: undefined });
  }

  /** Redelivers the last event at once, as if its acknowledgment had been lost. */
  async redeliver(): Promise<void> {
    if (this.#last === undefined) return;
    const { body, repetition } = this.#last;
    this.#again.drop((told) => told.body === body);
    await this.#deliver({ body, repetition: { attempt: (repetition?.attempt ?? 0) + 1, reason: 'timeout' } });
  }

  /** Cancels all redeliveries. */
  close(): void {
    this.#again.close();
  }

  #isHeard(subscription: string): boolean {
    const { subscriptions, grants } = this.#parts;
    const isGranted = SCOPES[subscription]?.some((scope) => grants.has(scope)) ?? true;
    return subscriptions.includes(subscription) && isGranted;
  }

  async #deliver(told: Told): Promise<void> {
    const passage = this.#quota.take();
    if (passage === 'deliver') await this.#send(told);
    else warn(told, this.#quota.isEnded ? 'its subscription has ended' : 'app_rate_limited');
    if (passage === 'tell-of-limit') await this.#parts.bot.deliver('events_api', limitBody(this.#quota.minute));
  }

  async #send(told: Told): Promise<void> {
    this.#last = told;
    const delivery = await this.#parts.bot.deliver('events_api', told.body, told.repetition);
    if (delivery.ok) return;
    this.#quota.fail();
    const attempt = (told.repetition?.attempt ?? 0) + 1;
    const pause = PAUSES_MS[attempt - 1];
    if (delivery.retry === null || pause === undefined) warn(told, delivery.error);
    else {
      const repetition = { attempt, reason: delivery.retry };
      this.#again.put({ body: told.body, repetition }, this.#parts.now() + pause);
    }
  }
}

function warn({ body }: Told, reason: string): void {
  console.warn('the bot did not take an event', { event: stringIn(body, 'event_id'), reason });
}
