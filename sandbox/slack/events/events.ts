import type { Repetition } from '../delivery.ts';
import { stringIn } from '../json.ts';
import { Later } from '../later.ts';
import type { Json } from '../page-protocol.ts';
import type { Grants } from '../state/grants.ts';
import type { WayToBot } from '../way-to-bot.ts';
import { limitBody } from './event-body.ts';
import { EventQuota } from './event-quota.ts';

export type BotEvent = Json & { readonly type: string };

/** Slack delivers again what was not acknowledged: at once, after one minute, after five; then it gives up. */
const PAUSES_MS: readonly number[] = [0, 60_000, 300_000];

/** The scopes for each event that Slack does not send without one of them; the others of this workspace need none. */
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
  /** Undefined until it is delivered again. */
  readonly repetition: Repetition | undefined;
}

export interface EventParts {
  /** The manifest's `bot_events`. */
  readonly subscriptions: readonly string[];
  readonly grants: Grants;
  readonly bot: Pick<WayToBot, 'deliver'>;
  readonly now: () => number;
  /** Puts an event into the body in which Slack delivers it. */
  readonly wrap: (event: BotEvent) => Json;
}

/** Tells the bot what it has subscribed to, and tells it again, under the same `event_id`, when it does not acknowledge. */
export class Events {
  readonly #parts: EventParts;
  readonly #quota: EventQuota;
  /** A delivery never rejects: what went wrong is its outcome. */
  readonly #again: Later<Told>;
  #last: Told | undefined;

  constructor(parts: EventParts) {
    this.#parts = parts;
    this.#quota = new EventQuota(parts.now);
    this.#again = new Later(parts.now, (told) => void this.#deliver(told));
  }

  /**
   * Tells an event, if the bot has subscribed to it and holds its scope, and waits for the acknowledgment of the first delivery.
   *
   * @param subscription its name in the manifest, where that is not the event's type: `message.im`.
   */
  async tell(event: BotEvent, subscription: string = event.type): Promise<void> {
    if (!this.#isHeard(subscription)) return;
    await this.#deliver({ body: this.#parts.wrap(event), repetition: undefined });
  }

  /** Tells the last event once more without waiting for its time, as if its acknowledgment had been lost. */
  async redeliver(): Promise<void> {
    if (this.#last === undefined) return;
    const { body, repetition } = this.#last;
    this.#again.drop((told) => told.body === body);
    await this.#deliver({ body, repetition: { attempt: (repetition?.attempt ?? 0) + 1, reason: 'timeout' } });
  }

  /** Nothing is delivered again from now on. */
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
