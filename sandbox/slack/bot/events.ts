import { randomUUID } from 'node:crypto';
import type { Json } from '../page-protocol.ts';
import { BOT, ENTERPRISE, TEAM } from '../seed.ts';
import type { Channel, Message, SlackState } from '../state.ts';

/** Sends the bot the events that its manifest subscribes to: test/manifest.test.ts checks that it names them. */
export class Events {
  readonly #slack: SlackState;

  constructor(slack: SlackState) {
    this.#slack = slack;
  }

  async tell(event: Json & { readonly type: string }): Promise<void> {
    await this.#slack.bot.deliver('events_api', bodyOf(event, this.#slack));
  }
}

function bodyOf(event: Json, { isInEnterprise }: SlackState): Json {
  const enterprise = isInEnterprise ? ENTERPRISE.id : null;
  return {
    ...{ type: 'event_callback', team_id: TEAM.id, event, event_id: `Ev${randomUUID()}` },
    authorizations: [
      {
        ...{ enterprise_id: enterprise, team_id: TEAM.id, user_id: BOT.userId },
        ...{ is_bot: true, is_enterprise_install: false },
      },
    ],
  };
}

export async function tellOfMessage(
  { author, text, ts, channel: id, threadTs }: Message,
  channel: Channel,
  { events }: SlackState,
): Promise<void> {
  if (!channel.members.includes(BOT.userId)) return;
  const fields = {
    ...{ user: author, text, ts, channel: id, event_ts: ts },
    ...(threadTs !== null && { thread_ts: threadTs }),
  };
  if (channel.kind === 'direct') await events.tell({ type: 'message', channel_type: 'im', ...fields });
  else if (text.includes(`<@${BOT.userId}>`)) await events.tell({ type: 'app_mention', ...fields });
}
