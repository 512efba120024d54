import { randomUUID } from 'node:crypto';
import type { Repetition } from './delivery.ts';
import { stringIn } from './json.ts';
import type { Json } from './page-protocol.ts';
import { APP_ID, BOT, ENTERPRISE, type SeedPerson, TEAM } from './seed.ts';
import type { Channel, Conversations } from './state/conversations.ts';
import type { Message } from './state/messages.ts';
import { type Grants, isShared, type People, standingOf } from './state/people.ts';
import type { SlackState } from './state/slack-state.ts';
import type { WayToBot } from './way-to-bot.ts';

const TICK_MS = 100;

/** Returns the body in which Slack delivers an event: the app, the workspace, and an ID that all its deliveries share. */
export function eventBody(
  event: BotEvent,
  workspace: {
    readonly conversations: Conversations;
    readonly people: People;
    readonly now: () => number;
    readonly isInEnterprise: boolean;
  },
): Json {
  const id = randomUUID().replaceAll('-', '').slice(0, 10).toUpperCase();
  const enterpriseId = workspace.isInEnterprise ? ENTERPRISE.id : null;
  const channel = workspace.conversations.byId(String(event.channel));
  return {
    type: 'event_callback',
    token: 'sandbox',
    team_id: TEAM.id,
    context_team_id: TEAM.id,
    context_enterprise_id: enterpriseId,
    api_app_id: APP_ID,
    event,
    event_id: `Ev${id}`,
    event_time: Math.floor(workspace.now() / 1000),
    event_context: `4-${id}`,
    authorizations: [
      {
        enterprise_id: enterpriseId,
        team_id: TEAM.id,
        user_id: BOT.userId,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: channel !== undefined && isShared(channel, workspace.people),
  };
}

/** Sends the bot what a person wrote to it: in their direct message, or with its mention in a channel that it is in. */
export async function tellOfMessage(
  message: Message,
  { person, channel }: { readonly person: SeedPerson; readonly channel: Channel },
  slack: SlackState,
): Promise<void> {
  const { events } = slack;
  if (!channel.members.includes(BOT.userId)) return;
  const fields = { ...fieldsOf(message), ...teamOf(person) };
  if (channel.kind === 'direct') await events.tell({ type: 'message', channel_type: 'im', ...fields }, 'message.im');
  else if (message.text.includes(`<@${BOT.userId}>`)) await events.tell({ type: 'app_mention', ...fields });
}

function fieldsOf({ author, text, ts, channel, threadTs }: Message): Json {
  const thread = threadTs === null ? {} : { thread_ts: threadTs };
  return { client_msg_id: randomUUID(), user: author, text, ts, channel, event_ts: ts, ...thread };
}

/** Slack names the organization of a person from elsewhere three times. */
function teamOf(person: SeedPerson): Json {
  const { teamId = TEAM.id } = person;
  const isStranger = standingOf(person) === 'other organization';
  return { team: teamId, ...(isStranger ? { user_team: teamId, source_team: teamId } : {}) };
}

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
  readonly repetition: Repetition | undefined;
}

/** A redelivery whose time, by the given clock, has not come. */
interface Waiting extends Told {
  readonly dueAt: number;
}

export interface EventParts {
  /** The manifest's `bot_events`. */
  readonly subscriptions: readonly string[];
  readonly grants: Grants;
  readonly bot: Pick<WayToBot, 'deliver'>;
  readonly now: () => number;
  readonly wrap: (event: BotEvent) => Json;
}

/** Sends the bot its subscribed events, and redelivers them under the same `event_id` if they aren't acknowledged. */
export class Events {
  readonly #parts: EventParts;
  #waiting: readonly Waiting[] = [];
  #ticking: NodeJS.Timeout | undefined;
  #last: Told | undefined;

  constructor(parts: EventParts) {
    this.#parts = parts;
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
    this.#waiting = this.#waiting.filter((told) => told.body !== body);
    await this.#deliver({ body, repetition: { attempt: (repetition?.attempt ?? 0) + 1, reason: 'timeout' } });
  }

  close(): void {
    this.#waiting = [];
    clearInterval(this.#ticking);
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
      this.#waiting = [...this.#waiting, { body: told.body, repetition, dueAt: this.#parts.now() + pause }];
      this.#ticking ??= setInterval(() => this.#redeliverDue(), TICK_MS).unref();
      this.#redeliverDue();
    }
  }

  /** A delivery never rejects: an error is its outcome. */
  #redeliverDue(): void {
    const now = this.#parts.now();
    const due = this.#waiting.filter(({ dueAt }) => dueAt <= now);
    this.#waiting = this.#waiting.filter(({ dueAt }) => dueAt > now);
    for (const told of due) void this.#deliver(told);
  }
}

function warn({ body }: Told, reason: string): void {
  console.warn('the bot did not take an event', { event: stringIn(body, 'event_id'), reason });
}
