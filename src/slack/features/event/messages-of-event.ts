import type { ContextBlock, SectionBlock } from '@slack/types';
import { explainServiceProblem } from '../../../health/explain.ts';
import type { FoundEvent } from '../../../lookups/event.ts';
import type { Message } from '../../../service/message.ts';
import { context, section } from '../../kit/blocks.ts';
import { publishedAs } from '../../kit/for-everyone.ts';
import { channelName, providerName } from '../../kit/incident/names.ts';
import { code, joined, type Markup, mrkdwn } from '../../kit/text.ts';
import { timeNear } from '../../kit/times.ts';
import { messageStatusWords, statusEmoji, whereTo, whyNotSent } from '../../kit/words/message-words.ts';

const MOST_LINES = 8;
/** In characters of markup, beside the event's steps. */
const LINES_LENGTH = 2_400;

export function messagesProblem({ messages, environment }: FoundEvent): ContextBlock[] {
  if (messages.read) return messages.hasMore ? [context(MAYBE_MORE)] : [];
  const { what } = explainServiceProblem(messages.error, environment);
  return [context(mrkdwn`Its messages are missing here. ${what}`)];
}

export function messageBlocks({ event, messages, environment }: FoundEvent): SectionBlock[] {
  if (!messages.read || messages.items.length === 0) return [];
  const lines = messages.items.map((message) =>
    joined([...facts(message, event.createdAt), ...subjectOf(message)], ' · '),
  );
  const shown = lines.slice(0, linesThatFit(lines));
  const left = lines.length - shown.length;
  const command = code(`/notif messages tx:${event.transactionId} env:${environment.name}`, MOST_COMMAND);
  const listed = (lines: readonly Markup[], more: Markup) =>
    section(joined([mrkdwn`*Messages*`, ...lines, ...(left === 0 ? [] : [more])], '\n'));
  const published = messages.items
    .slice(0, shown.length)
    .map((message) => joined(facts(message, event.createdAt), ' · '));
  return [
    publishedAs(listed(shown, mrkdwn`… and ${left} more in ${command}`), listed(published, mrkdwn`… and ${left} more`)),
  ];
}

const MOST_COMMAND = 300;

const MAYBE_MORE = mrkdwn`It may have more messages: not all of its transaction's could be read here.`;

function linesThatFit(lines: readonly Markup[]): number {
  let length = 0;
  const fitting = lines.slice(0, MOST_LINES).findIndex((line) => {
    length += `${line}`.length;
    return length > LINES_LENGTH;
  });
  return fitting === -1 ? Math.min(lines.length, MOST_LINES) : Math.max(1, fitting);
}

/** All but its subject, which only the person who asked sees. */
function facts(message: Message, triggeredAt: Date | null): Markup[] {
  const { channel, provider, status, createdAt } = message;
  const via = provider === null ? '' : ` · ${providerName(provider)}`;
  return [
    mrkdwn`${statusEmoji(message)} ${channelName(channel)}${via}: ${status}`,
    ...(createdAt === null ? [] : [timeNear(createdAt, triggeredAt, 'seconds')]),
    ...whereTo(message),
    ...messageStatusWords(message),
    ...whyNotSent(message),
  ];
}

function subjectOf({ subject }: Message): Markup[] {
  return subject === null || `${subject}` === '' ? [] : [mrkdwn`“${`${subject}`}”`];
}
