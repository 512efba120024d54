import type { JudgedEvent } from '../../../judging/judge.ts';
import { commandText, type FilterMap } from '../../../lib/input/filters.ts';
import type { ChosenEvents, FoundSubscriber, Reach } from '../../../lookups/subscriber.ts';
import type { Repeat } from '../../../sendings/sent-again.ts';
import { addressField, channelName } from '../../../service/channels.ts';
import { eventKey } from '../../../service/event.ts';
import { section } from '../../kit/blocks.ts';
import { runButton, shareButton } from '../../kit/buttons.ts';
import { nextLine } from '../../kit/explanation.ts';
import { typedFilterWords } from '../../kit/filter-words.ts';
import { countWords, listMessage } from '../../kit/list.ts';
import type { MessageContent } from '../../kit/message.ts';
import { capitalized, channelVia, providerName } from '../../kit/names.ts';
import { OUTCOME_EMOJI } from '../../kit/outcomes.ts';
import { forOperators } from '../../kit/published.ts';
import { badge, bold, code, joined, type Line, listed, type Markup, mrkdwn, plural } from '../../kit/text.ts';
import { aheadNote, time, timeNear } from '../../kit/times.ts';
import { eventTable, outcomeCounts } from './event-table.ts';
import type { LookupCtx } from './lookup-ctx.ts';
import { sentAgainWords } from './repeat-words.ts';

/** What was typed to choose some of a subscriber's events. */
export interface Chosen {
  filters: FilterMap;
  events: ChosenEvents;
}

const EVENTS_SUMMED = 20;

interface BesideSubscriber {
  repeats: readonly Repeat[];
  chosen: Chosen | null;
  /** What was looked through for a phone number. */
  search: Line;
}

/** Which channels reach a subscriber, and what the newest events came to. */
export function subscriberCard(
  { environment, now }: LookupCtx,
  subscriber: FoundSubscriber,
  { repeats, chosen, search }: BesideSubscriber,
): MessageContent {
  const { subscriberId, contact, profile, profileAt, reach, events, aheadMs } = subscriber;
  const summed = events.slice(0, EVENTS_SUMMED);
  const env = [environment.name];
  const filters = chosen?.filters ?? {};
  const { tag: _, ...eventFilters } = filters;
  const source = profileAt
    ? mrkdwn`Devices and settings as of the newest message, ${timeNear(profileAt, now())}`
    : 'No message shows devices or settings';
  const summary = [
    joined([code(subscriberId), profile?.initials ?? contact?.initials ?? null, badge(environment)]),
    joined([...reach.map((channel) => reachWords(channel, subscriber)), settingsWords(subscriber)]),
    summed.length > 0 && mrkdwn`Last ${plural(summed.length, 'event')}: ${outcomeCounts(summed)}`,
    ...reach.map(troubleLine),
  ];
  return listMessage({
    caption: (shown) =>
      joined([
        shown === 0 ? 'no events' : countWords(chosen ? 'event' : 'newest event', { shown, total: shown }),
        ...typedFilterWords(filters),
      ]),
    ...eventTable(environment.name, summed, {
      columns: ['Outcome', 'When', 'Workflow'],
      remarks: repeatRemarks(events, repeats),
    }),
    summary: [section(summary)],
    notes: [
      // A caption can't show times in the reader's time zone.
      chosen?.events.after ? mrkdwn`Since ${time(chosen.events.after)}` : null,
      search,
      source,
      aheadNote(aheadMs),
      profile?.isDeleted === true && '⚠️ This subscriber was deleted',
    ],
    buttons: () => [
      shareButton(commandText(['subscriber', subscriberId], { ...filters, env })),
      runButton('View events', commandText(['events'], { ...eventFilters, subscriber: [subscriberId], env })),
      forOperators(runButton('Send a test', commandText(['trigger'], { subscriber: [subscriberId], env }))),
      forOperators(runButton('Credentials', commandText(['credentials', subscriberId], { env }))),
    ],
  });
}

/** Both events of a resend are the same subscriber's. */
function repeatRemarks(events: readonly JudgedEvent[], repeats: readonly Repeat[]): ReadonlyMap<string, Markup> {
  const remarks = events.flatMap(({ event }): [string, Markup][] => {
    const key = eventKey(event);
    const again = repeats.find((repeat) => repeat.eventKey === key);
    const repeated = repeats.find((repeat) => repeat.transactionId === event.transactionId);
    const seen = events.find((other) => other.event.transactionId === again?.transactionId) ?? null;
    if (again !== undefined) return [[key, sentAgainWords(again, seen, event.createdAt)]];
    return repeated === undefined ? [] : [[key, mrkdwn`🔁 repeats ${repeated.eventKey}`]];
  });
  return new Map(remarks);
}

/** 'email j•••@acme.example ✅', 'push FCM 2 devices, APNs none ✅' */
function reachWords({ channel, providers, newest }: Reach, { contact, profile }: FoundSubscriber): Markup | null {
  const field = addressField(channel);
  const address = field && `${profile?.[field] ?? contact?.[field] ?? 'no address'}`;
  const counts = providers.map(({ id, devices }) =>
    joined([providerName(id), devices === 0 ? 'none' : devices && plural(devices, 'device')], ' '),
  );
  const state = newest && OUTCOME_EMOJI[newest.outcome];
  if (newest === null && counts.length === 0 && address === null) return null;
  return joined([channelName(channel), address, counts.length > 0 && listed(counts), state], ' ');
}

function settingsWords({ profile }: FoundSubscriber): Markup | null {
  if (profile === null) return null;
  const { locale, timeZone, isOnline, lastOnlineAt } = profile;
  const online = isOnline ? 'online now' : lastOnlineAt && mrkdwn`last online ${time(lastOnlineAt)}`;
  return joined([locale, timeZone, online]);
}

function troubleLine({ channel, newest }: Reach): Markup | null {
  if (newest?.failure == null) return null;
  const { failure, outcome, cause } = newest;
  const meaning = cause?.entry?.meaning ?? failure.cause.text;
  const what = mrkdwn`${OUTCOME_EMOJI[outcome]} ${bold(channelVia(channel, failure.provider))}: ${capitalized(meaning)}`;
  return joined([what, cause && nextLine(cause)], ' ');
}
