import type { Button, KnownBlock, PlainTextOption, StaticSelect } from '@slack/types';
import type { FoundTransaction } from '../../domain/lookups/looked-up.ts';
import { needsEyes, OUTCOME_ORDER } from '../../domain/lookups/outcome.ts';
import {
  addCounts,
  type CauseCount,
  countedEvents,
  type EventCounts,
  type ListedEvent,
  type TransactionTally,
} from '../../domain/lookups/transaction.ts';
import { PAGE_SIZE } from '../../domain/service/query.ts';
import type { Audience } from '../../domain/text/audience.ts';
import { isContact, shownId } from '../../domain/text/shown-id.ts';
import { badge } from '../blocks/badge.ts';
import { actions, button, context, divider, type MessageContent, message, option, section } from '../blocks/blocks.ts';
import { LOOK_UP, writeLookup } from '../blocks/buttons/lookup-button.ts';
import { channelName, channelVia } from '../blocks/incident/channel-name.ts';
import { capitalised, OUTCOME_EMOJI, outcomeCount, outcomeWord } from '../blocks/incident/verdict-word.ts';
import { PLACEHOLDER_TEXT } from '../blocks/limits.ts';
import { audienceOf, canShare, type Reader, sharedLine } from '../blocks/reader.ts';
import { idCode } from '../blocks/shown-id.ts';
import { joined, type Markup, mrkdwn, named, plain, plural } from '../blocks/text.ts';
import { serviceTrouble } from '../blocks/words/service-trouble.ts';
import { REFRESH, SHARE } from './card-message.ts';
import { ALL, FAILING, LOAD_MORE, writeList, writeLoadMore } from './transaction-request-message.ts';

const MOST_CAUSES = 5;

/** The room for choices in a message with everything else (`BLOCKS_JSON`), in characters of JSON. The most severe events come first. */
const CHOICES_JSON = 4_500;

/** Builds the card of a transaction with several events: their number by outcome and channel, the reasons, and a choice to look up each. */
export function transactionCard(found: FoundTransaction, reader: Reader): MessageContent {
  const { environment, tally } = found;
  const audience = audienceOf(reader);
  const headline = mrkdwn`${badge(environment)} · ${idCode(tally.transactionId, audience)} ${reachedLine(found, audience)}`;
  const counts = countsWords(countsSoFar(found));
  const choices = choicesOf(found, audience);
  return message(mrkdwn`${headline}: ${counts}`, [
    section(joined([headline, counts], '\n')),
    ...partOf(found),
    ...channels(tally),
    ...causes(tally),
    context(coverage(found, choices.length)),
    ...serviceTrouble(found.trouble, environment),
    divider(),
    // In blocks of their own: in a shared card both have the look-up action ID, and Slack allows an action ID only once in a block.
    ...actions(chooser(choices)),
    ...actions(buttons(found, reader)),
    ...sharedLine(reader),
  ]);
}

/** Returns the counts including the parts checked before. */
function countsSoFar({ start, tally }: FoundTransaction): EventCounts {
  return addCounts(start.counts, tally.counts);
}

function unreadableSoFar({ start, tally }: FoundTransaction): number {
  return start.unreadable + tally.unreadable;
}

function isToTheEnd({ next, trouble }: FoundTransaction): boolean {
  return next === null && trouble === null;
}

function reachedLine(found: FoundTransaction, audience: Audience): Markup {
  const { workflowNames, topicKeys } = found.tally;
  const names = workflowNames.map((name) => named(shownId(name, audience)));
  const workflows = names.length === 0 ? mrkdwn`` : mrkdwn` of *${joined(names, ', ')}*`;
  const keys = topicKeys.map((key) => idCode(key, audience));
  const topics = keys.length === 0 ? mrkdwn`` : mrkdwn` by topic ${joined(keys, ', ')}`;
  const events = countedEvents(countsSoFar(found)) + unreadableSoFar(found);
  return mrkdwn`made ${isToTheEnd(found) ? '' : 'more than '}${plural(events, 'event')}${workflows}${topics}`;
}

/** '🔴 61 failed · ✅ 4,730 delivered' */
function countsWords(counts: EventCounts): Markup {
  const present = OUTCOME_ORDER.filter((outcome) => (counts[outcome] ?? 0) > 0);
  return joined(
    present.map((outcome) => mrkdwn`${OUTCOME_EMOJI[outcome]} ${outcomeCount(outcome, counts[outcome] ?? 0)}`),
    ' · ',
  );
}

/** Says which part the text below the headline covers, if the events weren't checked in one go. */
function partOf({ start, tally }: FoundTransaction): KnownBlock[] {
  if (start.page === 0 || tally.events + tally.unreadable === 0) return [];
  const before = countedEvents(start.counts) + start.unreadable;
  const to = before + tally.events + tally.unreadable;
  return [context(mrkdwn`Of events ${before + 1}–${to}: ${countsWords(tally.counts)}`)];
}

/** '*Email*: 🔴 61 failed · ✅ 4,730 delivered', one line for each channel. */
function channels({ channels: all }: TransactionTally): KnownBlock[] {
  const lines = [...all].map(
    ([channel, counts]) => mrkdwn`*${named(capitalised(channelName(channel)))}*: ${countsWords(counts)}`,
  );
  return lines.length === 0 ? [] : [section(joined(lines, '\n'))];
}

function causes({ causes: all }: TransactionTally): KnownBlock[] {
  if (all.size === 0) return [];
  const sorted = [...all.values()].sort((a, b) => b.failures - a.failures);
  const left = sorted.length - MOST_CAUSES;
  const lines = [...sorted.slice(0, MOST_CAUSES).map(causeLine), ...(left > 0 ? [plural(left, 'more cause')] : [])];
  return [section(joined(lines, '\n'))];
}

function causeLine({ channel, provider, text, failures }: CauseCount): Markup {
  return mrkdwn`${failures} × ${channelVia(channel, provider)}: ${text}`;
}

function coverage(found: FoundTransaction, choices: number): Markup {
  const counts = countsSoFar(found);
  const unreadable = unreadableSoFar(found);
  const notShown = counts['not-shown'] ?? 0;
  const read = countedEvents(counts);
  const toTheEnd =
    unreadable + notShown === 0 ? mrkdwn`All ${read} events checked` : mrkdwn`${plural(read, 'event')} checked`;
  const parts = [
    isToTheEnd(found) ? toTheEnd : mrkdwn`Newest ${read} events checked; there are more`,
    ...(choices > 0 && choices < found.tally.events ? [mrkdwn`choose from the ${choices} most severe`] : []),
    ...(unreadable > 0 ? [mrkdwn`${unreadable} couldn't be read`] : []),
    ...(notShown > 0 ? [mrkdwn`the service didn't show the outcome of ${notShown}`] : []),
  ];
  return joined(parts, ' · ');
}

/** Returns as many of the listed events as fit. */
function choicesOf({ environment, tally }: FoundTransaction, audience: Audience): PlainTextOption[] {
  const choices: PlainTextOption[] = [];
  let room = CHOICES_JSON;
  for (const listed of tally.listed) {
    const choice = choiceOf(environment.name, listed, audience);
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

function choiceOf(
  environment: string,
  { eventId, subscriberId, outcome }: ListedEvent,
  audience: Audience,
): PlainTextOption | null {
  if (eventId === null) return null;
  const label = `${outcomeWord(outcome)} · ${shownId(subscriberId ?? eventId, audience)}`;
  return option(label, writeLookup({ environment, target: { kind: 'event', id: eventId } }));
}

function hasFailing(counts: EventCounts): boolean {
  return OUTCOME_ORDER.some((one) => needsEyes(one) && (counts[one] ?? 0) > 0);
}

function buttons(found: FoundTransaction, reader: Reader): Button[] {
  const { environment, tally, start, next } = found;
  const { transactionId } = tally;
  const lookup = writeLookup({ environment: environment.name, target: { kind: 'transaction', id: transactionId } });
  // A button's value is part of the message, so one with a contact is left out. Each event has its own way to be looked up.
  if (reader.is === 'channel') return isContact(transactionId) ? [] : [button('Look up', LOOK_UP, lookup)];
  const of = { environment: environment.name, transactionId };
  const list = { ...of, before: start.before, from: 0, back: [] };
  const failing = { ...list, which: 'failing', from: hasFailing(start.counts) ? 0 : start.page * PAGE_SIZE } as const;
  return [
    ...(next === null ? [] : [button('Load more', LOAD_MORE, writeLoadMore({ ...of, position: next }))]),
    ...(hasFailing(countsSoFar(found)) ? [button('Show failed', FAILING, writeList(failing))] : []),
    button('All events', ALL, writeList({ ...list, which: 'all' })),
    ...(canShare(reader) && start.page === 0 ? [button('Share', SHARE, lookup)] : []),
    ...(start.page === 0 ? [button('Refresh', REFRESH, lookup)] : []),
  ];
}
