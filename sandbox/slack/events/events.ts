import type { Repetition } from '../delivery.ts';
import { stringIn } from '../json.ts';
import { Later } from '../later.ts';
import type { Json } from '../page-protocol.ts';
import type { Grants } from '../state/grants.ts';
import type { WayToBot } from '../way-to-bot.ts';

export type BotEvent = Json & { readonly type: string };

/** Slack redelivers an unacknowledged event at once, after one minute and after five, and then gives up. */
const PAUSES_MS: readonly number[] = [0, 60_000, 300_000];

/** The scope of each event that Slack sends only with it. */
const SCOPES: Readonly<Record<string, string>> = {
  app_mention: 'app_mentions:read',
  'message.im': 'im:history',
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
  /** A delivery never rejects: an error is its outcome. */
  readonly #again: Later<Told>;
  #last: Told | undefined;

  constructor(parts: EventParts) {
    this.#parts = parts;
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
    const scope = SCOPES[subscription];
    return subscriptions.includes(subscription) && (scope === undefined || grants.has(scope));
  }

  async #deliver(told: Told): Promise<void> {
    this.#last = told;
    const delivery = await this.#parts.bot.deliver('events_api', told.body, told.repetition);
    if (delivery.ok) return;
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
