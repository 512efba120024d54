import { oneOf } from '../../../lib/closed-list.ts';
import { commandText, type FilterKey, type FilterMap, onlyValue } from '../../../lib/input/filters.ts';
import { parseAddresses } from '../../../lib/input/typed-values.ts';
import { MASK, maskEmail } from '../../../lib/text/mask.ts';
import { DAY_MS } from '../../../lib/time/durations.ts';
import { parseTimeRange } from '../../../lib/time/time-range.ts';
import { targetOf } from '../../../lookups/event.ts';
import { type EventList, listEvents, workflowIdsOf } from '../../../lookups/event-list.ts';
import { outcomeOf } from '../../../lookups/steps.ts';
import { refuseMasked } from '../../../lookups/typed-lookup.ts';
import { channelAsMeant, type EventQuery, knownChannel, typedContextKey } from '../../../service/query.ts';
import type { SlackCtx } from '../../ctx.ts';
import { type MessageContent, option } from '../../kit/blocks.ts';
import { LOOK_UP, writeLookup } from '../../kit/buttons.ts';
import { channelName, channelVia, outcomeWord } from '../../kit/incident/names.ts';
import { commandList, type ListRow } from '../../kit/list.ts';
import { badge, joined, type Markup, mrkdwn } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { CASE_MATTERS, onlyWords } from '../../kit/words/filter-words.ts';
import type { Command, CommandLine, LookupAnswer } from '../../router/command.ts';

/** Contract, operation 5. */
const NOUNS = {
  workflow: 'Workflow',
  channel: 'Channel',
  topic: 'Topic',
  severity: 'Severity',
  tx: 'Transaction',
  context: 'Exactly the contexts',
  subscriber: 'Subscriber',
  email: 'Email',
  search: 'Search',
} as const satisfies { readonly [Key in FilterKey]?: string };

type EventFilter = keyof typeof NOUNS;
const EVENT_FILTERS = Object.keys(NOUNS) as readonly EventFilter[];

export function eventsCommand(ctx: SlackCtx): Command {
  return {
    word: 'events',
    usage: '[filters]',
    about: 'what was triggered, and its outcome, as far back as the service keeps it',
    examples: ['workflow:order-shipped since:2d', 'topic:launch severity:high', 'email:anna@example.com'],
    for: 'everyone',
    filters: [...EVENT_FILTERS, 'since', 'until', 'env'],
    follows: 'filters',
    answer: async (line, { reply }) => reply.show((await eventsAnswer(ctx, line)).content),
  };
}

export async function eventsAnswer(ctx: SlackCtx, line: CommandLine): Promise<LookupAnswer> {
  const { environment, page } = line;
  const query = {
    ...eventQuery(line, ctx.now()),
    workflowIds: await workflowIdsOf(ctx.db, environment, line.filters.workflow ?? []),
  };
  const [from = 0, end = null] = page?.cursor.split(' ').map(Number) ?? [];
  const service = ctx.serviceOf(environment.name);
  const list = await listEvents({ service, now: ctx.now }, query, { from, end: end === null ? null : new Date(end) });
  const isFound = list.events.length + list.unreadable > 0;
  return { isFound, content: eventsMessage(ctx, line, query, list) };
}

const SEVERITIES = ['high', 'medium', 'low', 'none'] as const;

const LONGEST_DAYS = 3_650;

function eventQuery({ filters, timeZone }: CommandLine, now: Date): EventQuery {
  for (const key of EVENT_FILTERS) filters[key]?.forEach(refuseMasked);
  const [since, until] = [onlyValue('since', filters), onlyValue('until', filters)];
  const range = parseTimeRange({ since, until }, now, { durationMs: DAY_MS, maxDays: LONGEST_DAYS, timeZone });
  return {
    channels: filters.channel?.map(knownChannel),
    topicKey: onlyValue('topic', filters),
    severity: filters.severity?.map((typed) => oneOf({ key: 'severity' }, typed, SEVERITIES)),
    transactionId: onlyValue('tx', filters),
    contextKeys: filters.context?.map(typedContextKey),
    subscriberIds: filters.subscriber,
    emails: filters.email && parseAddresses(filters.email),
    search: onlyValue('search', filters),
    after: since === undefined ? undefined : range.from,
    ...(until !== undefined && { before: range.to }),
  };
}

export function eventsMessage(
  { now }: Pick<SlackCtx, 'now'>,
  { environment, filters, page }: CommandLine,
  { after, before }: EventQuery,
  { events, unreadable, next, end }: EventList,
): MessageContent {
  const { subscriber = [], email = [], search = [] } = filters;
  const hasSubscribers = subscriber.length !== 1 || email.length + search.length > 0;
  const names = filterNames(filters);
  const from = Number(page?.cursor.split(' ')[0] ?? 0);
  const times = [
    ...(after === undefined ? [] : [mrkdwn`Since ${time(after, 'day')}`]),
    ...(before === undefined ? [] : [mrkdwn`Until ${time(before, 'day')}`]),
    mrkdwn`As of ${time(now(), 'day')}`,
  ];
  const list = {
    text: commandText(['events'], {
      ...filters,
      env: [environment.name],
      ...(after !== undefined && { since: [after.toISOString()] }),
      ...(before !== undefined && { until: [before.toISOString()] }),
    }),
    page,
    title: joined([badge(environment), ...(names.length === 1 ? names : [])], ' · '),
    noun: 'event',
    total: null,
    columns: ['Transaction', 'Outcome', 'Workflow', ...(hasSubscribers ? ['Subscriber'] : []), 'When', 'Cause'],
    rows: events.map((event) => rowOf(event, environment.name, hasSubscribers)),
    notes: [
      ...(names.length > 1 ? [joined(names, ' · ')] : []),
      joined(times, ' · '),
      ...(events.length + unreadable === 0 && next === null ? [NOTHING] : []),
    ],
    unreadable,
    lookUp: LOOK_UP,
    next: (shown: number) => {
      const first = shown < events.length ? from + shown : next;
      return first === null ? null : `${first} ${end.getTime()}`;
    },
    isShareable: true,
  };
  return commandList(list);
}

const NOTHING = mrkdwn`${CASE_MATTERS} The service may keep no older events.`;

export function filterNames(filters: FilterMap): Markup[] {
  const words = (keys: readonly EventFilter[]) =>
    keys.flatMap((key) => onlyWords(NOUNS[key], shownValues(key, filters[key] ?? [])));
  // The service returns the events of whoever one of these finds.
  const people = words(['subscriber', 'email', 'search']);
  return [
    ...words(['workflow', 'channel', 'topic', 'severity', 'tx', 'context']),
    ...(people.length === 0 ? [] : [joined(people, ' or ')]),
  ];
}

/** What is sought may be a part of an address. */
function shownValues(key: EventFilter, values: readonly string[]): readonly string[] {
  if (key === 'search') return values.map(() => MASK);
  if (key === 'email') return values.map(maskEmail);
  if (key === 'channel') return values.map(channelAsMeant).map(channelName);
  return key === 'context' && values.length > 0 ? [values.join(', ')] : values;
}

type Listed = EventList['events'][number];

function rowOf({ event, judgement }: Listed, environment: string, hasSubscribers: boolean): ListRow {
  const outcome = outcomeWord(outcomeOf(event, judgement));
  return {
    cells: [
      event.transactionId,
      outcome,
      event.workflow?.identifier ?? 'deleted workflow',
      ...(hasSubscribers ? [event.subscriber?.subscriberId ?? ''] : []),
      time(event.createdAt, 'day'),
      causeWords(judgement),
    ],
    choice: option(`${outcome} · ${event.transactionId}`, writeLookup({ environment, target: targetOf(event) })),
  };
}

export function causeWords({ verdict, failures }: Listed['judgement']): string {
  const failure = failures.find((one) => one.verdict === verdict);
  return failure === undefined ? '' : `${channelVia(failure.channel, failure.provider)}: ${failure.cause.text}`;
}
