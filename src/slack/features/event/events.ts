import type { Button } from '@slack/types';
import { decisiveFailure, type JudgedEvent, SEVERITIES } from '../../../failures/judge.ts';
import { oneOf } from '../../../lib/closed-list.ts';
import { type Environment, environmentNamed } from '../../../lib/environment.ts';
import { commandText, onlyValue } from '../../../lib/input/filters.ts';
import { parseAddresses } from '../../../lib/input/typed-values.ts';
import { DAY_MS, parseTimeRange } from '../../../lib/time/durations.ts';
import {
  type FoundTransaction,
  needsEyes,
  OUTCOME_ORDER,
  outcomeOf,
  readTransaction,
  targetOf,
} from '../../../lookups/event.ts';
import { type EventList, listEvents, workflowIdsOf } from '../../../lookups/lists.ts';
import { parseChannel } from '../../../service/channels.ts';
import type { NotificationService } from '../../../service/operations.ts';
import { type EventQuery, typedContextKey } from '../../../service/query.ts';
import { refuseMasked } from '../../../service/typed-lookup.ts';
import type { SlackCtx } from '../../ctx.ts';
import {
  button,
  lineSections,
  lookUpButton,
  lookUpText,
  parseLookup,
  personal,
  publishedAs,
  runButton,
  section,
  shareButton,
  writeLookup,
} from '../../kit/blocks.ts';
import { sendCsv } from '../../kit/csv-file.ts';
import { CASE_MATTERS, ignoredFilters, typedFilterWords } from '../../kit/filter-words.ts';
import { type CommandList, commandList, countWords, listMessage } from '../../kit/list.ts';
import type { MessageContent } from '../../kit/message.ts';
import { channelVia } from '../../kit/names.ts';
import { OUTCOME_EMOJI, outcomeCount, outcomeWords } from '../../kit/outcomes.ts';
import type { Reply } from '../../kit/reply.ts';
import { badge, code, joined, type Line, listed, type Markup, mrkdwn, named, plural, time } from '../../kit/text.ts';
import type { Command, CommandLine } from '../../router/command.ts';
import { answerRoute, type Route, routesFor } from '../../router/route.ts';
import { MENU, writeCardAct } from './card-message.ts';

const FILTERS = ['workflow', 'channel', 'topic', 'severity', 'tx', 'context', 'subscriber', 'email', 'search'] as const;

export function eventsCommand(ctx: SlackCtx): Command {
  return {
    word: 'events',
    usage: '[filters]',
    about: 'what was triggered, and its outcome, as far back as the service keeps it',
    examples: ['workflow:order-shipped since:2d', 'topic:launch severity:high', 'email:anna@example.com'],
    for: 'everyone',
    filters: [...FILTERS, 'since', 'until', 'env'],
    follows: 'filters',
    answer: async (line) => (await eventsAnswer(ctx, line)).content,
  };
}

interface EventsAnswer {
  isFound: boolean;
  content: MessageContent;
}

export async function eventsAnswer(ctx: SlackCtx, line: CommandLine, note: Line = null): Promise<EventsAnswer> {
  const { environment, page } = line;
  const workflowIds = await workflowIdsOf(ctx.db, environment, line.filters.workflow ?? []);
  const query = { ...eventQuery(line, ctx.now()), workflowIds };
  // A cursor is the next event's index and the list's end in ms.
  const [from = 0, end = null] = page?.cursor.split(' ').map(Number) ?? [];
  const service = ctx.serviceOf(environment.name);
  const list = await listEvents({ service, now: ctx.now }, query, { from, end: end === null ? null : new Date(end) });
  return { isFound: list.events.length + list.unreadable > 0, content: eventsMessage(line, query, list, note) };
}

function eventQuery({ filters, timeZone }: CommandLine, now: Date) {
  for (const key of FILTERS) filters[key]?.forEach(refuseMasked);
  const range = parseTimeRange(filters, now, { durationMs: DAY_MS, maxDays: 3_650, timeZone });
  return {
    channels: filters.channel?.map(parseChannel),
    topicKey: onlyValue('topic', filters),
    severity: filters.severity?.map((typed) => oneOf('severity', typed, SEVERITIES)),
    transactionId: onlyValue('tx', filters),
    contextKeys: filters.context?.map(typedContextKey),
    subscriberIds: filters.subscriber,
    emails: filters.email && parseAddresses(filters.email),
    search: onlyValue('search', filters),
    after: filters.since && range.from,
    ...(filters.until && { before: range.to }),
  };
}

export function eventsMessage(
  { environment, filters, page }: CommandLine,
  { after, before }: EventQuery,
  { events, from, unreadable, misfits, next, end }: EventList,
  note: Line = null,
): MessageContent {
  const names = typedFilterWords(filters);
  const idsByEmail = filters.email && events.flatMap(({ event }) => event.subscriber?.subscriberId ?? []);
  const [id, ...others] = new Set(filters.subscriber ?? idsByEmail);
  return commandList({
    text: commandText(['events'], {
      ...filters,
      env: [environment.name],
      since: after ? [after.toISOString()] : [],
      until: before ? [before.toISOString()] : [],
    }),
    page,
    title: joined([badge(environment), ...(names.length === 1 ? names : [])]),
    noun: 'event',
    ...eventTable(environment.name, events, ['Outcome', 'Workflow', 'When', 'Subscriber']),
    notes: [
      note,
      names.length > 1 && joined(names),
      ignoredFilters(misfits),
      after !== undefined && mrkdwn`Since ${time(after)}`,
      before !== undefined && mrkdwn`Until ${time(before)}`,
      events.length + unreadable === 0 &&
        next === null &&
        mrkdwn`${CASE_MATTERS} The service may keep no older events.`,
    ],
    unreadable,
    nextCursor: (shown) => {
      const first = shown < events.length ? from + shown : next;
      return first === null ? null : `${first} ${end.getTime()}`;
    },
    extraButton: id !== undefined && others.length === 0 && subscriberButton(environment, id),
  });
}

export function subscriberButton({ name }: Environment, subscriberId: string): Button {
  return personal(runButton('Subscriber', commandText(['subscriber', subscriberId], { env: [name] })));
}

const outcomeIn = ({ event, judgment }: JudgedEvent) => outcomeOf(event, judgment);
const shownOutcome = (judged: JudgedEvent) => `${OUTCOME_EMOJI[outcomeIn(judged)]} ${outcomeWords(outcomeIn(judged))}`;

const CELLS = {
  Subscriber: ({ event }: JudgedEvent) => event.subscriber?.subscriberId ?? event.id ?? '',
  Outcome: (judged: JudgedEvent) => joined([shownOutcome(judged), causeWords(judged)]),
  Workflow: ({ event }: JudgedEvent) => joined([event.workflow?.identifier ?? 'deleted workflow', event.transactionId]),
  When: ({ event }: JudgedEvent) => time(event.createdAt),
};

export function eventTable(
  environment: string,
  events: readonly JudgedEvent[],
  columns: readonly (keyof typeof CELLS)[],
): Pick<CommandList, 'columns' | 'rows'> {
  const rows = events.map((judged) => {
    const label = [shownOutcome(judged), judged.event.transactionId, CELLS.Subscriber(judged)].join(' · ');
    const command = lookUpText({ environment, target: targetOf(judged.event) });
    return { cells: columns.map((column) => CELLS[column](judged)), lookUp: [label, command] as const };
  });
  return { columns, rows };
}

function causeWords({ judgment }: JudgedEvent) {
  const failure = decisiveFailure(judgment);
  return failure === undefined ? '' : `${channelVia(failure.channel, failure.provider)}: ${failure.cause.text}`;
}

/** Its reads are of one environment, and say how far they are. */
export interface LookupCtx extends SlackCtx {
  environment: Environment;
  service: NotificationService;
  progress: (read: number) => void;
}

export function lookupCtx(ctx: SlackCtx, environment: Environment, { working }: Pick<Reply, 'working'>): LookupCtx {
  const progress = (read: number) => working(mrkdwn`Checked ${plural(read, 'event')}`);
  return { ...ctx, environment, service: ctx.serviceOf(environment.name), progress };
}

const FAILED_FILE = 'transaction.failed-file';

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

const MOST_LISTED = 50;

export function transactionCard(transaction: FoundTransaction, retentionDays: number): MessageContent {
  const { environment, transactionId, events, unreadable, misfits, isAll } = transaction;
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
    ...eventTable(environment.name, bySeverity.slice(0, MOST_LISTED), ['Subscriber', 'Outcome', 'When']),
    summary: [publishedAs(head, { ...head, accessory: lookUpButton(request) }), ...causeSections(events)],
    notes: [
      ignoredFilters(misfits),
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

export function outcomeCounts(events: readonly JudgedEvent[]): Markup {
  const counts = OUTCOME_ORDER.map((outcome) => {
    const count = events.filter((event) => outcomeIn(event) === outcome).length;
    return count > 0 && mrkdwn`${OUTCOME_EMOJI[outcome]} ${outcomeCount(outcome, count)}`;
  });
  return joined(counts);
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
