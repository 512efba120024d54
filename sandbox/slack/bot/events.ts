import { randomUUID } from 'node:crypto';
import { stringIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import { APP_ID, BOT, ENTERPRISE, type SeedPerson, standingOf, TEAM } from '../seed.ts';
import type { Channel, Message, SlackState } from '../state.ts';
import type { Repetition } from './way-to-bot.ts';

const TICK_MS = 100;

/** Slack redelivers an unacknowledged event at once, after one minute and after five, and then gives up. */
const PAUSES_MS: readonly number[] = [0, 60_000, 300_000];

/** The scope of each event that Slack sends only with it. */
const SCOPES = new Map([
  ['app_mention', 'app_mentions:read'],
  ['message.im', 'im:history'],
]);

interface Told {
  readonly body: Json;
  readonly repetition?: Repetition;
  /** When a redelivery is due, by the workspace's clock. */
  readonly dueAt: number;
}

/** Sends the bot its subscribed events, and redelivers them under the same `event_id` if they aren't acknowledged. */
export class Events {
  readonly #slack: SlackState;
  #waiting: readonly Told[] = [];
  #ticking: NodeJS.Timeout | undefined;
  #last: Told | undefined;

  constructor(slack: SlackState) {
    this.#slack = slack;
  }

  /**
   * Sends an event if the bot has subscribed to it and has its scope. Waits for the acknowledgment of the first delivery.
   *
   * @param subscription its name in the manifest, if that isn't the event's type: `message.im`.
   */
  async tell(event: Json & { readonly type: string }, subscription: string = event.type): Promise<void> {
    const { manifest, scopes } = this.#slack;
    const scope = SCOPES.get(subscription);
    const isHeard = manifest.settings.event_subscriptions.bot_events.includes(subscription);
    if (!isHeard || (scope !== undefined && !scopes.has(scope))) return;
    await this.#deliver({ body: bodyOf(event, this.#slack), dueAt: 0 });
  }

  /** Redelivers the last event at once, as if its acknowledgment had been lost. */
  async redeliver(): Promise<void> {
    const last = this.#last;
    if (last === undefined) return;
    this.#waiting = this.#waiting.filter(({ body }) => body !== last.body);
    await this.#deliver({ ...last, repetition: { attempt: nextAttempt(last), reason: 'timeout' } });
  }

  close(): void {
    this.#waiting = [];
    clearInterval(this.#ticking);
  }

  async #deliver(told: Told): Promise<void> {
    this.#last = told;
    const { bot, now } = this.#slack;
    const delivery = await bot.deliver('events_api', told.body, told.repetition);
    if (delivery.ok) return;
    const attempt = nextAttempt(told);
    const pause = PAUSES_MS[attempt - 1];
    if (delivery.retry === null || pause === undefined) {
      console.warn('the bot did not take an event', { event: stringIn(told.body, 'event_id'), reason: delivery.error });
      return;
    }
    const repetition = { attempt, reason: delivery.retry };
    this.#waiting = [...this.#waiting, { body: told.body, repetition, dueAt: now() + pause }];
    this.#ticking ??= setInterval(() => this.#redeliverDue(), TICK_MS).unref();
    this.#redeliverDue();
  }

  /** A delivery never rejects: an error is its outcome. */
  #redeliverDue(): void {
    const now = this.#slack.now();
    const due = this.#waiting.filter(({ dueAt }) => dueAt <= now);
    this.#waiting = this.#waiting.filter(({ dueAt }) => dueAt > now);
    for (const told of due) void this.#deliver(told);
  }
}

function nextAttempt({ repetition }: Told): number {
  return (repetition?.attempt ?? 0) + 1;
}

/** Returns the body in which Slack delivers an event: the app, the workspace, and an ID that all its deliveries share. */
function bodyOf(event: Json, slack: SlackState): Json {
  const id = randomUUID().replaceAll('-', '').slice(0, 10).toUpperCase();
  const enterprise = slack.isInEnterprise ? ENTERPRISE.id : null;
  const channel = slack.channel(String(event.channel));
  return {
    ...{ type: 'event_callback', token: 'sandbox', team_id: TEAM.id, context_team_id: TEAM.id, api_app_id: APP_ID },
    ...{ context_enterprise_id: enterprise, event, event_id: `Ev${id}`, event_context: `4-${id}` },
    event_time: Math.floor(slack.now() / 1000),
    authorizations: [
      {
        ...{ enterprise_id: enterprise, team_id: TEAM.id, user_id: BOT.userId },
        ...{ is_bot: true, is_enterprise_install: false },
      },
    ],
    is_ext_shared_channel: channel !== undefined && slack.isShared(channel),
  };
}

/** Sends the bot what a person wrote to it: in their direct message, or with its mention in a channel that it is in. */
export async function tellOfMessage(
  { author, text, ts, channel: id, threadTs }: Message,
  person: SeedPerson,
  channel: Channel,
  { events }: SlackState,
): Promise<void> {
  if (!channel.members.includes(BOT.userId)) return;
  const { teamId = TEAM.id } = person;
  const isStranger = standingOf(person) === 'other organization';
  const fields = {
    ...{ client_msg_id: randomUUID(), user: author, text, ts, channel: id, event_ts: ts, team: teamId },
    ...(threadTs !== null && { thread_ts: threadTs }),
    // Slack names the organization of a person from elsewhere three times.
    ...(isStranger && { user_team: teamId, source_team: teamId }),
  };
  if (channel.kind === 'direct') await events.tell({ type: 'message', channel_type: 'im', ...fields }, 'message.im');
  else if (text.includes(`<@${BOT.userId}>`)) await events.tell({ type: 'app_mention', ...fields });
}
