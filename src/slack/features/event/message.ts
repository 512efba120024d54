import type { Button, KnownBlock } from '@slack/types';
import type { IncidentNow } from '../../../incidents/incident.ts';
import type { FoundNothing, FoundTransaction, LookedUp } from '../../../lookups/event.ts';
import { needsEyes, OUTCOME_ORDER } from '../../../lookups/steps.ts';
import type { CauseCount, EventCounts, ListedEvent, TransactionTally } from '../../../lookups/transaction.ts';
import { button, type MessageContent, message, option, section, whatNext } from '../../kit/blocks.ts';
import { LOOK_UP, type LookupRequest, lookUpButton, writeLookup } from '../../kit/buttons.ts';
import { personal, publishedAs } from '../../kit/for-everyone.ts';
import {
  capitalised,
  channelName,
  channelVia,
  OUTCOME_EMOJI,
  outcomeCount,
  outcomeWord,
} from '../../kit/incident/names.ts';
import { countWords, type ListRow, listMessage } from '../../kit/list.ts';
import { badge, code, joined, type Markup, mrkdwn, named, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { serviceTrouble } from '../../kit/words/error-card.ts';
import { eventCard, REFRESH, SHARE } from './card-message.ts';

/** `incidents`: the open ones that the event is part of. */
export function lookedUpMessage(found: LookedUp, incidents: readonly IncidentNow[] = []): MessageContent {
  switch (found.found) {
    case 'event':
      return eventCard(found, incidents);
    case 'transaction':
      return transactionCard(found);
    case 'nothing':
      return nothingFound(found);
  }
}

/** Says that an event or transaction that existed a moment ago is gone. */
function nothingFound({ environment, target }: FoundNothing): MessageContent {
  const what = mrkdwn`No event or transaction ${code(target.id)} in ${badge(environment)}.`;
  const next = mrkdwn`It may be past retention, or too new to be listed.`;
  return whatNext(what, next);
}

const MOST_CAUSES = 5;

export function transactionCard(found: FoundTransaction): MessageContent {
  const { environment, tally } = found;
  const headline = mrkdwn`${badge(environment)} · ${code(tally.transactionId)} ${reachedLine(found)}`;
  const counts = countsWords(tally.counts);
  const head = section(joined([headline, counts], '\n'));
  const { blocks } = listMessage({
    caption: (shown) => caption(tally, shown),
    columns: ['Subscriber', 'Outcome', 'When', 'Cause'],
    summary: [
      publishedAs(head, { ...head, accessory: lookUpButton(lookupOf(found)) }),
      ...channels(tally),
      ...causes(tally),
    ],
    rows: tally.listed.map((event) => rowOf(environment.name, event)),
    notes: [coverage(found), ...restWords(found)],
    lookUp: LOOK_UP,
    buttons: () => buttons(found),
    foot: serviceTrouble(found.trouble, environment),
  });
  return message(mrkdwn`${headline}: ${counts}`, blocks);
}

function caption({ events }: TransactionTally, shown: number): Markup {
  if (shown === 0) return mrkdwn`No further events`;
  const words = countWords('event', { before: 0, shown, total: events });
  return shown < events ? mrkdwn`${words}, the most severe first` : words;
}

/** Where all failures are, if not all of them are in the table. */
function restWords({ environment, tally, isAll }: FoundTransaction): Markup[] {
  const failing = OUTCOME_ORDER.filter(needsEyes).reduce((sum, outcome) => sum + (tally.counts[outcome] ?? 0), 0);
  if (isAll && failing <= tally.listed.length) return [];
  const command = `/notif failures tx:${tally.transactionId} since:3d env:${environment.name}`;
  return [mrkdwn`All failures: ${code(command, MOST_COMMAND)}`];
}

const MOST_COMMAND = 300;

function reachedLine(found: FoundTransaction): Markup {
  const { workflowNames, topicKeys } = found.tally;
  const names = workflowNames.map((name) => named(name));
  const workflows = names.length === 0 ? mrkdwn`` : mrkdwn` of *${joined(names, ', ')}*`;
  const keys = topicKeys.map((key) => code(key));
  const topics = keys.length === 0 ? mrkdwn`` : mrkdwn` by topic ${joined(keys, ', ')}`;
  const events = found.tally.events + found.tally.unreadable;
  return mrkdwn`made ${found.isAll ? '' : 'more than '}${plural(events, 'event')}${workflows}${topics}`;
}

function countsWords(counts: EventCounts): Markup {
  const present = OUTCOME_ORDER.filter((outcome) => (counts[outcome] ?? 0) > 0);
  return joined(
    present.map((outcome) => mrkdwn`${OUTCOME_EMOJI[outcome]} ${outcomeCount(outcome, counts[outcome] ?? 0)}`),
    ' · ',
  );
}

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

function coverage(found: FoundTransaction): Markup {
  const { counts, unreadable, events: read } = found.tally;
  const notShown = counts['not-shown'] ?? 0;
  const toTheEnd =
    unreadable + notShown === 0 ? mrkdwn`All ${read} events checked` : mrkdwn`${plural(read, 'event')} checked`;
  const parts = [
    found.isAll ? toTheEnd : mrkdwn`Newest ${read} events checked; there are more`,
    ...(unreadable > 0 ? [mrkdwn`${unreadable} couldn't be read`] : []),
    ...(notShown > 0 ? [mrkdwn`the service didn't show the outcome of ${notShown}`] : []),
  ];
  return joined(parts, ' · ');
}

function rowOf(environment: string, { eventId, subscriberId, outcome, createdAt, cause }: ListedEvent): ListRow {
  const whom = subscriberId ?? eventId ?? '';
  const word = outcomeWord(outcome);
  const why = cause === null ? '' : `${channelVia(cause.channel, cause.provider)}: ${cause.text}`;
  return {
    cells: [whom, word, time(createdAt, 'day'), why],
    choice:
      eventId === null
        ? null
        : option(`${word} · ${whom}`, writeLookup({ environment, target: { kind: 'event', id: eventId } })),
  };
}

function lookupOf({ environment, tally }: FoundTransaction): LookupRequest {
  return { environment: environment.name, target: { kind: 'transaction', id: tally.transactionId } };
}

function buttons(found: FoundTransaction): Button[] {
  const lookup = writeLookup(lookupOf(found));
  return [personal(button('Share', SHARE, lookup)), personal(button('Refresh', REFRESH, lookup))];
}
