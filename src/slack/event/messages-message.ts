import { sentenceIn } from '../../domain/cause.ts';
import type { Message } from '../../domain/message.ts';
import { channelName, providerName } from '../blocks/channel-name.ts';
import { joined, type Markup, mrkdwn } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';

/** A message in a line: channel, provider, status, where it went, what its reader did with it. */
export function messageLine(message: Message): Markup {
  const { channel, provider, status, maskedEmail, maskedPhone, errorText } = message;
  const via = provider === null ? '' : ` · ${providerName(provider)}`;
  const to = maskedEmail ?? maskedPhone;
  const facts = [
    mrkdwn`${EMOJI.get(status) ?? '•'} ${channelName(channel)}${via}: ${status}`,
    ...(to === null ? [] : [mrkdwn`to ${to}`]),
    ...marks(message),
    ...(errorText === null || `${errorText}` === '' ? [] : [mrkdwn`${sentenceIn(errorText)}`]),
  ];
  return joined(facts, ' · ');
}

const EMOJI: ReadonlyMap<string, string> = new Map([
  ['sent', '✅'],
  ['error', '🔴'],
  ['warning', '🟡'],
]);

function marks({ seen, read, lastSeenAt, lastReadAt, deliveredAt, snoozedUntil }: Message): Markup[] {
  const delivered = deliveredAt.at(-1);
  return [
    ...(delivered === undefined ? [] : [mrkdwn`delivered ${time(delivered)}`]),
    ...(seen ? [lastSeenAt === null ? mrkdwn`seen` : mrkdwn`seen ${time(lastSeenAt)}`] : []),
    ...(read ? [lastReadAt === null ? mrkdwn`read` : mrkdwn`read ${time(lastReadAt)}`] : []),
    ...(snoozedUntil === null ? [] : [mrkdwn`snoozed until ${time(snoozedUntil, 'day')}`]),
  ];
}
