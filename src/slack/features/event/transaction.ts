import type { JudgedEvent } from '../../../judging/judge.ts';
import { environmentNamed } from '../../../lib/environment.ts';
import { commandText } from '../../../lib/input/filters.ts';
import type { FoundTransaction } from '../../../lookups/event.ts';
import { needsEyes, OUTCOME_ORDER } from '../../../lookups/outcome.ts';
import { readTransaction } from '../../../lookups/transaction.ts';
import type { SlackCtx } from '../../ctx.ts';
import { button, lineSections, section } from '../../kit/blocks.ts';
import { parseLookup, writeLookup } from '../../kit/button-values.ts';
import { lookUpButton, lookUpText, runButton, shareButton } from '../../kit/buttons.ts';
import { sendCsv } from '../../kit/csv-file.ts';
import { ignoredFilters } from '../../kit/filter-words.ts';
import { countWords, listMessage } from '../../kit/list.ts';
import type { MessageContent } from '../../kit/message.ts';
import { channelVia } from '../../kit/names.ts';
import { outcomeWords } from '../../kit/outcomes.ts';
import { personal, publishedAs } from '../../kit/published.ts';
import { badge, code, joined, listed, type Markup, mrkdwn, named, plural } from '../../kit/text.ts';
import { aheadNote } from '../../kit/times.ts';
import { answerRoute, type Route, routesFor } from '../../router/route.ts';
import { MENU, writeCardAct } from './event-card.ts';
import { causeWords, eventTable, outcomeCounts, outcomeIn } from './event-table.ts';
import { lookupCtx } from './lookup-ctx.ts';

const FAILED_FILE = 'transaction.failed-file';

/** The worst come first; the file has all that failed. */
const MOST_LISTED = 50;

export function transactionRoutes(ctx: SlackCtx): Route[] {
  const file = answerRoute(FAILED_FILE, parseLookup, async (request, { userId, reply }) => {
    const { id } = request.target;
    const environment = environmentNamed(request.environment, ctx.environments);
    const { events } = await readTransaction(lookupCtx(ctx, environment, reply), id);
    return sendCsv(ctx, userId, {
      name: `failed-${environment.name}-${id.replace(/[^\w-]/g, '')}`,
      title: `Failed events of a transaction in ${environment.label}`,
      lines: [
        ['subscriber', 'outcome', 'cause', 'workflow', 'contexts', 'created at', 'event'],
        ...events.filter(isFailed).map(failedRow),
      ],
    });
  });
  return routesFor('members', [file]);
}

function failedRow(failed: JudgedEvent) {
  const { id, subscriber, workflow, createdAt, contextKeys } = failed.event;
  const cells = [subscriber?.subscriberId ?? '', outcomeWords(outcomeIn(failed)), causeWords(failed)];
  return [...cells, workflow?.identifier ?? '', contextKeys.join(' '), createdAt?.toISOString() ?? '', id ?? ''];
}

const isFailed = (event: JudgedEvent) => needsEyes(outcomeIn(event));

export function transactionCard(transaction: FoundTransaction, retentionDays: number): MessageContent {
  const { environment, transactionId, events, unreadable, misfits, isAll, aheadMs } = transaction;
  const request = { environment: environment.name, target: { kind: 'transaction', id: transactionId } } as const;
  const bySeverity = OUTCOME_ORDER.flatMap((outcome) => events.filter((event) => outcomeIn(event) === outcome));
  const head = section([
    mrkdwn`${badge(environment)} · ${code(transactionId)} ${eventsLine(transaction)}`,
    outcomeCounts(events),
  ]);
  const filters = { tx: [transactionId], since: [`${retentionDays}d`], env: [environment.name] };
  const hasFailed = events.some(isFailed);
  return listMessage({
    caption: (shown) => mrkdwn`${countWords('event', { shown, total: events.length })}, the most severe first`,
    ...eventTable(environment.name, bySeverity.slice(0, MOST_LISTED), { columns: ['Subscriber', 'Outcome', 'When'] }),
    summary: [publishedAs(head, { ...head, accessory: lookUpButton(request) }), ...causeSections(events)],
    notes: [
      ignoredFilters(misfits),
      aheadNote(aheadMs),
      !isAll && mrkdwn`Newest ${plural(events.length + misfits.length, 'event')} checked; there are more`,
      unreadable > 0 && mrkdwn`${unreadable} unreadable`,
    ],
    buttons: () => [
      shareButton(lookUpText(request)),
      personal(button('Refresh', MENU, writeCardAct({ ...request, act: 'refresh' }))),
      hasFailed && personal(runButton('View failures', commandText(['failures'], filters))),
      hasFailed && personal(button('Download CSV', FAILED_FILE, writeLookup(request))),
    ],
  });
}

function eventsLine({ events, unreadable, isAll }: FoundTransaction) {
  const workflows = [...new Set(events.flatMap(({ event }) => event.workflow?.name ?? []))].map(named);
  const topics = [...new Set(events.flatMap(({ event }) => event.topicKeys))].map((key) => code(key));
  const facts = [
    mrkdwn`made ${isAll ? '' : 'at least '}${plural(events.length + unreadable, 'event')}`,
    workflows.length > 0 && mrkdwn`of *${listed(workflows)}*`,
    topics.length > 0 && mrkdwn`by topic ${listed(topics)}`,
  ];
  return joined(facts, ' ');
}

function causeSections(events: readonly JudgedEvent[]) {
  const counts = new Map<string, { words: Markup; failures: number }>();
  for (const { channel, provider, cause } of events.flatMap(({ judgment }) => judgment.failures)) {
    const key = JSON.stringify([channel, provider, cause.key]);
    const failures = (counts.get(key)?.failures ?? 0) + 1;
    counts.set(key, { words: mrkdwn`${failures} × ${channelVia(channel, provider)}: ${cause.text}`, failures });
  }
  const sorted = [...counts.values()].sort((a, b) => b.failures - a.failures).map(({ words }) => words);
  return lineSections([listed(sorted, '\n')]);
}
