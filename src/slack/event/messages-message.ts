import type { KnownBlock } from '@slack/types';
import { explainServiceProblem } from '../../domain/health/explain.ts';
import type { Seen, SeenEvent } from '../../domain/lookups/seen.ts';
import type { Message } from '../../domain/service/message.ts';
import { context, section } from '../blocks/blocks.ts';
import { channelName, providerName } from '../blocks/incident/channel-name.ts';
import type { Reader } from '../blocks/reader.ts';
import { joined, type Markup, mrkdwn } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';
import { callToActionOf, statusEmoji, whatBecameOf, whereTo, whyNotSent } from '../blocks/words/message-words.ts';
import { moreButton } from './more-message.ts';

const MOST_LINES = 8;
/** What is left of a message beside its steps. Characters of markup. */
const LINES_LENGTH = 2_400;

/** The messages that an event produced, as many as there is room for, and the way to the others. */
export function messageBlocks(found: SeenEvent, reader: Reader): KnownBlock[] {
  const { messages, environment } = found;
  if (!messages.read) {
    const { what } = explainServiceProblem(messages.error, environment);
    return [context(mrkdwn`Its messages are missing here: ${what}`)];
  }
  if (messages.items.length === 0) return [];
  const lines = messages.items.map((message) => messageLine(message));
  const shown = lines.slice(0, linesThatFit(lines));
  const left = lines.length - shown.length;
  const more = `${left}${messages.hasMore ? ' or more' : ''} more`;
  const text = joined([mrkdwn`*Messages*`, ...shown, ...(left > 0 ? [mrkdwn`${more}`] : [])], '\n');
  const button = left > 0 && reader.is !== 'channel' ? moreButton(found, 'messages', shown.length) : undefined;
  return [section(text, button)];
}

function linesThatFit(lines: readonly Markup[]): number {
  let length = 0;
  const fitting = lines.slice(0, MOST_LINES).findIndex((line) => {
    length += `${line}`.length;
    return length > LINES_LENGTH;
  });
  return fitting === -1 ? Math.min(lines.length, MOST_LINES) : Math.max(1, fitting);
}

/** A message in a line: channel, provider, status, where it went, its outcome, what it asks for. */
export function messageLine(message: Seen<Message>): Markup {
  const { channel, provider, status, createdAt } = message;
  const via = provider === null ? '' : ` · ${providerName(provider)}`;
  const facts = [
    mrkdwn`${statusEmoji(message)} ${channelName(channel)}${via}: ${status}`,
    ...(createdAt === null ? [] : [time(createdAt)]),
    ...whereTo(message),
    ...whatBecameOf(message),
    ...whyNotSent(message),
    ...callToActionOf(message),
    ...subjectOf(message),
  ];
  return joined(facts, ' · ');
}

function subjectOf({ subject }: Seen<Message>): Markup[] {
  return subject === null || `${subject}` === '' ? [] : [mrkdwn`“${`${subject}`}”`];
}
