import type { Arguments } from '../arguments.ts';
import type { Json } from '../page-protocol.ts';
import { Refusal } from '../refusal.ts';
import { BOT } from '../seed.ts';
import type { ScheduledMessage } from '../state/scheduled-messages.ts';
import type { SlackState } from '../state/slack-state.ts';
import { POSTED_TEXT_LIMIT } from '../validate/message.ts';
import { knownChannel } from './known-channel.ts';
import { pageOf } from './paging.ts';
import { acceptPost } from './posting.ts';

const FARTHEST_S = 120 * 24 * 3_600;
/** The maximum in one channel within five minutes. Slack doesn't say when such a period begins; here, at full five minutes of the clock. */
const MAX_PER_SPAN = 30;
const SPAN_S = 300;
/** A message that is due this soon can't be deleted. */
const TOO_LATE_S = 60;

/** chat.scheduleMessage */
export function schedule(args: Arguments, slack: SlackState): Json {
  const postAt = acceptTime(args, slack);
  const draft = acceptPost(args, slack);
  if (draft.text.length > POSTED_TEXT_LIMIT) throw new Refusal('msg_too_long');
  const spanOf = (seconds: number) => Math.floor(seconds / SPAN_S);
  const isNear = (each: ScheduledMessage) =>
    each.draft.channel === draft.channel && spanOf(each.postAt) === spanOf(postAt);
  if (slack.scheduled.all.filter(isNear).length >= MAX_PER_SPAN) throw new Refusal('restricted_too_many');
  const { id } = slack.scheduled.add(draft, postAt);
  const message = { type: 'delayed_message', text: draft.text, user: BOT.userId, bot_id: BOT.botId };
  return { channel: draft.channel, scheduled_message_id: id, post_at: postAt, message };
}

/** chat.deleteScheduledMessage */
export function unschedule(args: Arguments, slack: SlackState): Json {
  const channel = knownChannel(args.required('channel'), slack);
  const id = args.required('scheduled_message_id');
  const message = slack.scheduled.all.find((each) => each.id === id && each.draft.channel === channel.id);
  if (message === undefined || message.postAt - secondsNow(slack) < TOO_LATE_S) {
    throw new Refusal('invalid_scheduled_message_id');
  }
  slack.scheduled.remove(id);
  return {};
}

/** chat.scheduledMessages.list: messages in one channel or all, between `oldest` and `latest`. */
export function scheduledList(args: Arguments, slack: SlackState): Json {
  const channel = args.text('channel');
  const [oldest, latest] = [args.number('oldest') ?? 0, args.number('latest') ?? Number.POSITIVE_INFINITY];
  const wanted = slack.scheduled.all.filter(
    ({ draft, postAt }) => [undefined, draft.channel].includes(channel) && postAt >= oldest && postAt <= latest,
  );
  const { items, fields } = pageOf(wanted, args, ({ id }) => id);
  return { ...fields, scheduled_messages: items.map(scheduledObject) };
}

function acceptTime(args: Arguments, slack: SlackState): number {
  const postAt = Number(args.required('post_at'));
  if (!Number.isInteger(postAt)) throw new Refusal('invalid_time');
  const ahead = postAt - secondsNow(slack);
  if (ahead <= 0) throw new Refusal('time_in_past');
  if (ahead > FARTHEST_S) throw new Refusal('time_too_far');
  return postAt;
}

function secondsNow(slack: SlackState): number {
  return slack.now() / 1_000;
}

function scheduledObject({ id, draft, postAt, createdAt }: ScheduledMessage): Json {
  return { id, channel_id: draft.channel, post_at: postAt, date_created: createdAt, text: draft.text };
}
