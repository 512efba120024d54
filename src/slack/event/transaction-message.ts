import type { KnownBlock, PlainTextOption, StaticSelect } from '@slack/types';
import type { FoundTransaction } from '../../domain/looked-up.ts';
import { type CauseCount, type ListedEvent, type TransactionTally, VERDICT_ORDER } from '../../domain/transaction.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { badge } from '../blocks/badge.ts';
import { actions, button, context, divider, type MessageContent, message, option, section } from '../blocks/blocks.ts';
import { channelVia } from '../blocks/channel-name.ts';
import { PLACEHOLDER_TEXT } from '../blocks/limits.ts';
import { LOOK_UP, writeLookup } from '../blocks/lookup-button.ts';
import { code, joined, type Markup, mrkdwn, named, person, plain } from '../blocks/text.ts';
import { verdictWord } from '../blocks/verdict-word.ts';
import { REFRESH, type Reader, SHARE } from './card-message.ts';

const MOST_CAUSES = 5;

/** The choices share a message with all the rest (`BLOCKS_JSON`); the gravest events come first. Characters of JSON. */
const CHOICES_JSON = 4_500;

/** A transaction of several events: how many came to what, why, and a way to each that is listed. */
export function transactionCard(found: FoundTransaction, reader: Reader): MessageContent {
  const { environment, tally } = found;
  const headline = mrkdwn`${badge(environment)} · ${code(tally.transactionId)} ${reach(tally)}`;
  const counts = countsOf(tally);
  const choices = choicesOf(found);
  return message(mrkdwn`${headline}: ${counts}`, [
    section(joined([headline, counts], '\n')),
    ...causes(tally),
    context(coverage(tally, choices.length)),
    divider(),
    ...actions([...chooser(choices), ...buttons(found, reader)]),
    ...(reader.is === 'channel' ? [context(mrkdwn`Shared by ${person(reader.sharedBy)}`)] : []),
  ]);
}

function reach({ events, workflowNames, topicKeys, isComplete }: TransactionTally): Markup {
  const workflows = workflowNames.length === 0 ? mrkdwn`` : mrkdwn` of *${joined(workflowNames.map(named), ', ')}*`;
  const topics =
    topicKeys.length === 0
      ? mrkdwn``
      : mrkdwn` by topic ${joined(
          topicKeys.map((key) => code(key)),
          ', ',
        )}`;
  return mrkdwn`made ${isComplete ? '' : 'more than '}${events} ${events === 1 ? 'event' : 'events'}${workflows}${topics}`;
}

function countsOf({ counts }: TransactionTally): Markup {
  const present = VERDICT_ORDER.filter((verdict) => (counts[verdict] ?? 0) > 0);
  return joined(
    present.map((verdict) => mrkdwn`${verdictEmojiFirst(verdict, counts[verdict] ?? 0)}`),
    ' · ',
  );
}

/** '🔴 61 failed' */
function verdictEmojiFirst(verdict: Verdict, count: number): Markup {
  const [emoji = '', ...words] = verdictWord(verdict).split(' ');
  return mrkdwn`${emoji} ${count} ${words.join(' ')}`;
}

function causes({ causes: all }: TransactionTally): KnownBlock[] {
  if (all.size === 0) return [];
  const sorted = [...all.values()].sort((a, b) => b.failures - a.failures);
  const left = sorted.length - MOST_CAUSES;
  const lines = [...sorted.slice(0, MOST_CAUSES).map(causeLine), ...(left > 0 ? [mrkdwn`${left} more causes`] : [])];
  return [section(joined(lines, '\n'))];
}

function causeLine({ channel, provider, text, failures }: CauseCount): Markup {
  return mrkdwn`${failures} × ${channelVia(channel, provider)}: ${text}`;
}

function coverage({ events, unreadable, isComplete }: TransactionTally, choices: number): Markup {
  const parts = [
    isComplete ? mrkdwn`All ${events} events were read` : mrkdwn`The newest ${events} events were read; there are more`,
    ...(choices < events ? [mrkdwn`the gravest ${choices} can be chosen here`] : []),
    ...(unreadable > 0 ? [mrkdwn`${unreadable} could not be read`] : []),
  ];
  return joined(parts, ' · ');
}

/** As many of the listed events as there is room for. */
function choicesOf({ environment, tally }: FoundTransaction): PlainTextOption[] {
  const choices: PlainTextOption[] = [];
  let room = CHOICES_JSON;
  for (const listed of tally.listed) {
    const choice = choiceOf(environment.name, listed);
    room -= choice === null ? 0 : JSON.stringify(choice).length;
    if (room < 0) break;
    if (choice !== null) choices.push(choice);
  }
  return choices;
}

function chooser(options: PlainTextOption[]): StaticSelect[] {
  if (options.length === 0) return [];
  const placeholder = plain('Look one up …', PLACEHOLDER_TEXT);
  return [{ type: 'static_select', action_id: LOOK_UP, placeholder, options }];
}

function choiceOf(environment: string, { eventId, subscriberId, verdict }: ListedEvent): PlainTextOption | null {
  if (eventId === null) return null;
  const label = `${verdictWord(verdict)} · ${subscriberId ?? eventId}`;
  return option(label, writeLookup({ environment, target: { kind: 'event', id: eventId } }));
}

function buttons({ environment, tally }: FoundTransaction, reader: Reader) {
  const value = writeLookup({
    environment: environment.name,
    target: { kind: 'transaction', id: tally.transactionId },
  });
  if (reader.is === 'channel') return [];
  return [...(reader.is === 'person' ? [button('Share', SHARE, value)] : []), button('Refresh', REFRESH, value)];
}
