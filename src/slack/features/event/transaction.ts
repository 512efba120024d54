import type { KnownBlock } from '@slack/types';
import { environmentNamed } from '../../../lib/environment.ts';
import { commandText } from '../../../lib/input/filters.ts';
import { HOUR_MS } from '../../../lib/time/durations.ts';
import { type FoundTransaction, readTransaction } from '../../../lookups/event.ts';
import { needsEyes, OUTCOME_ORDER } from '../../../lookups/outcome.ts';
import type { SlackCtx } from '../../ctx.ts';
import { button, section } from '../../kit/blocks.ts';
import { lookUpButton, lookUpText, parseLookup, runButton, shareButton, writeLookup } from '../../kit/buttons.ts';
import { personal, publishedAs } from '../../kit/for-everyone.ts';
import { countWords, listMessage } from '../../kit/list.ts';
import type { MessageContent } from '../../kit/message.ts';
import { badge, code, joined, listed, type Markup, mrkdwn, named, plural } from '../../kit/text.ts';
import { ignoredFilters } from '../../kit/words/filter-words.ts';
import { channelVia, OUTCOME_EMOJI, OUTCOME_WORDS, outcomeCount } from '../../kit/words/names.ts';
import { sendCsv } from '../../router/csv-file.ts';
import { answerRoute, type Route, routesFor } from '../../router/route.ts';
import { MENU, writeCardAct } from './card-message.ts';
import { causeWords, eventTable, type Listed, outcomeIn } from './events.ts';

const FAILED_FILE = 'transaction.failed-file';

export function transactionRoutes(ctx: SlackCtx): Route[] {
  const file = answerRoute(FAILED_FILE, parseLookup, async ({ environment: name, target }, { userId, reply }) => {
    const { label } = environmentNamed(name, ctx.environments);
    const progress = (read: number) => reply.working(mrkdwn`Checked ${plural(read, 'event')}`);
    const { events } = await readTransaction({ ...ctx, service: ctx.serviceOf(name), progress }, target.id);
    return sendCsv(ctx, userId, {
      name: `failed-${name}-${target.id.replace(/[^\w-]/g, '')}`,
      title: `Failed events of a transaction in ${label}`,
      lines: [
        ['subscriber', 'outcome', 'cause', 'workflow', 'contexts', 'created at', 'event'],
        ...events.filter(isFailed).map(failedRow),
      ],
    });
  });
  return routesFor('members', [file]);
}

function failedRow(listed: Listed): string[] {
  const { id, subscriber, workflow, createdAt, contextKeys } = listed.event;
  const what = [subscriber?.subscriberId ?? '', OUTCOME_WORDS[outcomeIn(listed)], causeWords(listed.judgement)];
  return [...what, workflow?.identifier ?? '', contextKeys.join(' '), createdAt?.toISOString() ?? '', id ?? ''];
}

const isFailed = (listed: Listed) => needsEyes(outcomeIn(listed));

const MOST_LISTED = 50;

export function transactionCard(transaction: FoundTransaction, horizonMs: number, now: Date): MessageContent {
  const { environment, transactionId, events, unreadable, misfits, isAll } = transaction;
  const request = { environment: environment.name, target: { kind: 'transaction', id: transactionId } } as const;
  const severe = OUTCOME_ORDER.flatMap((outcome) => events.filter((event) => outcomeIn(event) === outcome));
  const headline = mrkdwn`${badge(environment)} · ${code(transactionId)} ${reachedLine(transaction)}`;
  const head = section(joined([headline, countsWords(events)], '\n'));
  const failures = commandText(['failures'], {
    tx: [transactionId],
    since: [`${horizonMs / HOUR_MS}h`],
    env: [environment.name],
  });
  const isWithin = events.some(({ event }) => Number(event.createdAt) >= now.getTime() - horizonMs);
  return listMessage({
    caption: (shown) => {
      const words = countWords('event', { offset: 0, shown, total: events.length });
      return shown < events.length ? mrkdwn`${words}, the most severe first` : words;
    },
    ...eventTable(environment.name, severe.slice(0, MOST_LISTED), ['Subscriber', 'Outcome', 'When', 'Cause']),
    summary: [publishedAs(head, { ...head, accessory: lookUpButton(request) }), ...causes(events)],
    notes: [
      ignoredFilters(misfits),
      !isAll && mrkdwn`Newest ${plural(events.length + misfits.length, 'event')} checked; there are more`,
      unreadable > 0 && mrkdwn`${unreadable} unreadable`,
    ],
    buttons: () => [
      personal(shareButton(lookUpText(request))),
      personal(button('Refresh', MENU, writeCardAct({ ...request, act: 'refresh' }))),
      isWithin && personal(runButton('View failures', failures)),
      events.some(isFailed) && personal(button('Download CSV', FAILED_FILE, writeLookup(request))),
    ],
  });
}

function reachedLine({ events, unreadable, misfits, isAll }: FoundTransaction): Markup {
  const workflows = [...new Set(events.flatMap(({ event }) => event.workflow?.name ?? []))].map(named);
  const topics = [...new Set(events.flatMap(({ event }) => event.topicKeys))].map((key) => code(key));
  const facts = [
    mrkdwn`made ${isAll || misfits.length > 0 ? '' : 'more than '}${plural(events.length + unreadable, 'event')}`,
    workflows.length > 0 && mrkdwn`of *${listed(workflows)}*`,
    topics.length > 0 && mrkdwn`by topic ${listed(topics)}`,
  ];
  return joined(facts, ' ');
}

export function countsWords(events: readonly Listed[]): Markup {
  const counts = OUTCOME_ORDER.map((outcome) => {
    const count = events.filter((event) => outcomeIn(event) === outcome).length;
    return count > 0 && mrkdwn`${OUTCOME_EMOJI[outcome]} ${outcomeCount(outcome, count)}`;
  });
  return joined(counts, ' · ');
}

function causes(events: readonly Listed[]): KnownBlock[] {
  const counts = new Map<string, { words: Markup; failures: number }>();
  for (const { channel, provider, cause } of events.flatMap(({ judgement }) => judgement.failures)) {
    const key = JSON.stringify([channel, provider, cause.key]);
    const failures = (counts.get(key)?.failures ?? 0) + 1;
    counts.set(key, { words: mrkdwn`${failures} × ${channelVia(channel, provider)}: ${cause.text}`, failures });
  }
  const sorted = [...counts.values()].sort((a, b) => b.failures - a.failures).map(({ words }) => words);
  return sorted.length === 0 ? [] : [section(listed(sorted, '\n'))];
}
