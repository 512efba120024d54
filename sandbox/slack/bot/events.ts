import { randomUUID } from 'node:crypto';
import type { Json } from '../page-protocol.ts';
import { APP_ID, BOT, ENTERPRISE, type SeedPerson, standingOf, TEAM } from '../seed.ts';
import type { Channel, Message, SlackState } from '../state.ts';

/** Sends the bot the events that its manifest subscribes to: test/manifest.test.ts checks that it names them. */
export class Events {
  readonly #slack: SlackState;
  #last: { readonly body: Json; readonly attempt: number } | undefined;

  constructor(slack: SlackState) {
    this.#slack = slack;
  }

  async tell(event: Json & { readonly type: string }): Promise<void> {
    await this.#deliver(bodyOf(event, this.#slack), 0);
  }

  /** Sends the last event again under its `event_id`, as Slack does one, two and six minutes after one that wasn't acknowledged. */
  async redeliver(): Promise<void> {
    if (this.#last !== undefined) await this.#deliver(this.#last.body, this.#last.attempt + 1);
  }

  async #deliver(body: Json, attempt: number): Promise<void> {
    this.#last = { body, attempt };
    await this.#slack.bot.deliver('events_api', body, attempt);
  }
}

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
    ...(isStranger && { user_team: teamId, source_team: teamId }),
  };
  if (channel.kind === 'direct') await events.tell({ type: 'message', channel_type: 'im', ...fields });
  else if (text.includes(`<@${BOT.userId}>`)) await events.tell({ type: 'app_mention', ...fields });
}
