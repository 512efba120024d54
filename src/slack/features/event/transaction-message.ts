import type { KnownBlock } from '@slack/types';
import type { FoundTransaction } from '../../../lookups/event.ts';
import { needsEyes, OUTCOME_ORDER, outcomeOf } from '../../../lookups/steps.ts';
import { button, type MessageContent, message, option, section } from '../../kit/blocks.ts';
import { LOOK_UP, lookUpButton, writeLookup } from '../../kit/buttons.ts';
import { personal, publishedAs } from '../../kit/for-everyone.ts';
import { channelVia, OUTCOME_EMOJI, outcomeCount, outcomeWord } from '../../kit/incident/names.ts';
import { countWords, type ListRow, listMessage } from '../../kit/list.ts';
import { badge, code, firstOf, joined, type Markup, mrkdwn, named, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { serviceTrouble } from '../../router/on-error.ts';
import { MENU, SHARE, writeCardAct } from './card-message.ts';
import { causeWords } from './events.ts';

type Listed = FoundTransaction['events'][number];

const outcomeIn = ({ event, judgement }: Listed) => outcomeOf(event, judgement);

const MOST_LISTED = 50;

export function transactionCard(found: FoundTransaction): MessageContent {
  const { environment, transactionId, events, isAll } = found;
  const request = { environment: environment.name, target: { kind: 'transaction', id: transactionId } } as const;
  const severe = OUTCOME_ORDER.flatMap((outcome) => events.filter((event) => outcomeIn(event) === outcome));
  const failing = events.filter((event) => needsEyes(outcomeIn(event))).length;
  const headline = mrkdwn`${badge(environment)} · ${code(transactionId)} ${reachedLine(found)}`;
  const head = section(joined([headline, countsWords(events)], '\n'));
  const command = `/notif failures tx:${transactionId} since:3d env:${environment.name}`;
  const { blocks } = listMessage({
    caption: (shown) => {
      if (shown === 0) return mrkdwn`No further events`;
      const words = countWords('event', { before: 0, shown, total: events.length });
      return shown < events.length ? mrkdwn`${words}, the most severe first` : words;
    },
    columns: ['Subscriber', 'Outcome', 'When', 'Cause'],
    summary: [publishedAs(head, { ...head, accessory: lookUpButton(request) }), ...causes(events)],
    rows: severe.slice(0, MOST_LISTED).map((event) => rowOf(environment.name, event)),
    notes: [
      coverage(found),
      ...(isAll && failing <= MOST_LISTED ? [] : [mrkdwn`All failures: ${code(command, MOST_COMMAND)}`]),
    ],
    lookUp: LOOK_UP,
    buttons: () => [
      personal(button('Share', SHARE, writeLookup(request))),
      personal(button('Refresh', MENU, writeCardAct({ ...request, act: 'refresh' }))),
    ],
    foot: serviceTrouble(found.trouble, environment),
  });
  return message(mrkdwn`${headline}: ${countsWords(events)}`, blocks);
}

const MOST_COMMAND = 300;
const MOST_NAMES = 5;

function reachedLine({ events, unreadable, isAll }: FoundTransaction): Markup {
  const namesOf = (names: readonly Markup[]) =>
    joined(firstOf([...new Map(names.map((name) => [`${name}`, name])).values()], MOST_NAMES), ', ');
  const workflows = events.flatMap(({ event }) => (event.workflow === null ? [] : [named(event.workflow.name)]));
  const topics = events.flatMap(({ event }) => event.topicKeys.map((key) => code(key)));
  const parts = [
    mrkdwn`made ${isAll ? '' : 'more than '}${plural(events.length + unreadable, 'event')}`,
    ...(workflows.length === 0 ? [] : [mrkdwn`of *${namesOf(workflows)}*`]),
    ...(topics.length === 0 ? [] : [mrkdwn`by topic ${namesOf(topics)}`]),
  ];
  return joined(parts, ' ');
}

function countsWords(events: readonly Listed[]): Markup {
  const counts = OUTCOME_ORDER.map((outcome) => ({
    outcome,
    count: events.filter((event) => outcomeIn(event) === outcome).length,
  }));
  const present = counts.filter(({ count }) => count > 0);
  return joined(
    present.map(({ outcome, count }) => mrkdwn`${OUTCOME_EMOJI[outcome]} ${outcomeCount(outcome, count)}`),
    ' · ',
  );
}

const MOST_CAUSES = 5;

function causes(events: readonly Listed[]): KnownBlock[] {
  const counts = new Map<string, { readonly words: Markup; readonly failures: number }>();
  for (const { channel, provider, cause } of events.flatMap(({ judgement }) => judgement.failures)) {
    const key = JSON.stringify([channel, provider, cause.key]);
    const failures = (counts.get(key)?.failures ?? 0) + 1;
    counts.set(key, { words: mrkdwn`${failures} × ${channelVia(channel, provider)}: ${cause.text}`, failures });
  }
  const sorted = [...counts.values()].sort((a, b) => b.failures - a.failures).map(({ words }) => words);
  return sorted.length === 0 ? [] : [section(joined(firstOf(sorted, MOST_CAUSES), '\n'))];
}

function coverage({ events, unreadable, isAll }: FoundTransaction): Markup {
  const notShown = events.filter((event) => outcomeIn(event) === 'not-shown').length;
  const toTheEnd =
    unreadable + notShown === 0
      ? mrkdwn`All ${events.length} events checked`
      : mrkdwn`${plural(events.length, 'event')} checked`;
  const parts = [
    isAll ? toTheEnd : mrkdwn`Newest ${events.length} events checked; there are more`,
    ...(unreadable > 0 ? [mrkdwn`${unreadable} couldn't be read`] : []),
    ...(notShown > 0 ? [mrkdwn`the service didn't show the outcome of ${notShown}`] : []),
  ];
  return joined(parts, ' · ');
}

function rowOf(environment: string, listed: Listed): ListRow {
  const { id, subscriber, createdAt } = listed.event;
  const whom = subscriber?.subscriberId ?? id ?? '';
  const word = outcomeWord(outcomeIn(listed));
  return {
    cells: [whom, word, time(createdAt, 'day'), causeWords(listed.judgement)],
    choice:
      id === null ? null : option(`${word} · ${whom}`, writeLookup({ environment, target: { kind: 'event', id } })),
  };
}
