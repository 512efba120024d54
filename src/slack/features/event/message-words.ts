import { sentenceIn } from '../../../failures/cause.ts';
import type { Message } from '../../../service/lists.ts';
import { joined, type Markup, mrkdwn } from '../../kit/text.ts';
import { time, timeNear } from '../../kit/times.ts';

const EMOJI: ReadonlyMap<string, string> = new Map([
  ['sent', '✅'],
  ['error', '🔴'],
  ['warning', '🟡'],
]);

export function statusEmoji({ status }: Pick<Message, 'status'>): string {
  return EMOJI.get(status) ?? '•';
}

export function whereTo({ maskedEmail, maskedPhone, devices, hasWebhook }: Message): Markup[] {
  return [
    ...[maskedEmail, maskedPhone].flatMap((address) => (address === null ? [] : [mrkdwn`to ${address}`])),
    ...(devices === 0 ? [] : [mrkdwn`to ${devices} ${devices === 1 ? 'device' : 'devices'}`]),
    ...(hasWebhook ? [mrkdwn`to a webhook of their own`] : []),
  ];
}

export function messageStatusWords(message: Message): Markup[] {
  const { seen, read, lastSeenAt, lastReadAt, deliveredAt, snoozedUntil, createdAt } = message;
  const when = (at: Date) => timeNear(at, createdAt, 'seconds');
  return [
    ...deliveredAt.slice(-1).map((at) => mrkdwn`delivered ${when(at)}`),
    ...(seen ? [lastSeenAt === null ? mrkdwn`seen` : mrkdwn`seen ${when(lastSeenAt)}`] : []),
    ...(read ? [lastReadAt === null ? mrkdwn`read` : mrkdwn`read ${when(lastReadAt)}`] : []),
    ...(snoozedUntil === null ? [] : [mrkdwn`snoozed until ${time(snoozedUntil, 'day')}`]),
  ];
}

export function whyNotSent({ errorId, errorText }: Pick<Message, 'errorId' | 'errorText'>): Markup[] {
  const said = [
    ...(errorId === null ? [] : [errorId]),
    ...(errorText === null || `${errorText}` === '' ? [] : [sentenceIn(errorText)]),
  ];
  return said.length === 0 ? [] : [joined(said, ': ')];
}
