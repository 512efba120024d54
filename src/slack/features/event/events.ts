import type { Button } from '@slack/types';
import { z } from 'zod';
import { oneOf } from '../../../lib/closed-list.ts';
import { environmentNamed } from '../../../lib/environment.ts';
import { type FilterMap, onlyValue } from '../../../lib/input/filters.ts';
import { parseAddresses } from '../../../lib/input/typed-values.ts';
import type { Seal } from '../../../lib/seal.ts';
import { MASK, maskEmail } from '../../../lib/text/mask.ts';
import { DAY_MS } from '../../../lib/time/durations.ts';
import { parseTimeRange } from '../../../lib/time/time-range.ts';
import { targetOf } from '../../../lookups/event.ts';
import {
  EVENT_FILTERS,
  type EventFilter,
  type EventList,
  type EventListRequest,
  listEvents,
  listRequest,
  workflowIdsOf,
} from '../../../lookups/event-list.ts';
import { outcomeOf } from '../../../lookups/steps.ts';
import { refuseMasked } from '../../../lookups/typed-lookup.ts';
import { knownChannel, typedContextKey } from '../../../service/query.ts';
import type { SlackCtx } from '../../ctx.ts';
import { button, type MessageContent, option, whatNext } from '../../kit/blocks.ts';
import { parseOnly, refuseTooLong, writeValue } from '../../kit/button-value.ts';
import { LOOK_UP, loadMoreButton, writeLookup } from '../../kit/buttons.ts';
import { channelName, channelVia, outcomeWord } from '../../kit/incident/names.ts';
import { countWords, type ListRow, listMessage as listMessageOf } from '../../kit/list.ts';
import { badge, code, joined, type Markup, mrkdwn } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { onlyWords } from '../../kit/words/only-words.ts';
import type { Command, CommandLine, Flow } from '../../router/command.ts';
import { answerRoutes, routesFor } from '../../router/route.ts';
import { shareRoutes } from '../../router/share-route.ts';

export function eventsFlow(ctx: SlackCtx): Flow {
  const read = (value: string) => parseList(value, ctx.seal);
  const pageOf = async (request: EventListRequest) => listMessage(await listOf(ctx, request), ctx.seal);
  const shared = async (request: EventListRequest) =>
    listMessage(await listOf(ctx, request), ctx.seal, forOthers(request.filter));
  const events: Command = {
    word: 'events',
    usage: '[filters]',
    about: 'what was triggered, and its outcome, as far back as the service keeps it',
    examples: ['workflow:order-shipped since:2d', 'topic:launch severity:high', 'email:anna@example.com'],
    for: 'everyone',
    filters: [...EVENT_FILTERS, 'since', 'until', 'env'],
    follows: 'filters',
    answer: async (line, { reply }) => {
      await reply.show(await pageOf(await parseEventsRequest(ctx, line)));
    },
  };
  const routes = routesFor('everyone', [
    ...answerRoutes([LIST], read, pageOf),
    ...shareRoutes(ctx, SHARE, read, shared),
  ]);
  return { commands: [events], routes };
}

const SEVERITIES = ['high', 'medium', 'low', 'none'] as const;

/** Throws `InputError` for a filter that the service couldn't apply, and for more values than a button can hold. */
async function parseEventsRequest(ctx: SlackCtx, { filters, environment, timeZone }: CommandLine) {
  const filter = typedEventFilter(filters);
  const workflowIds = await workflowIdsOf(ctx.db, environment, filter.workflow ?? []);
  const request = {
    ...listRequest(environment, filter, ctx.now()),
    workflowIds,
    ...timesOf(filters, ctx.now(), timeZone),
  };
  refuseTooLong(writeList({ ...request, end: ctx.now(), from: 999_999 }, ctx.seal), '/notif events severity:high');
  return request;
}

function typedEventFilter(filters: FilterMap): EventFilter {
  for (const key of EVENT_FILTERS) filters[key]?.forEach(refuseMasked);
  for (const key of ['topic', 'tx', 'search'] as const) onlyValue(key, filters);
  return {
    workflow: filters.workflow,
    channel: filters.channel?.map(knownChannel),
    topic: filters.topic,
    severity: filters.severity?.map((typed) => oneOf({ key: 'severity' }, typed, SEVERITIES)),
    tx: filters.tx,
    context: filters.context?.map(typedContextKey),
    subscriber: filters.subscriber,
    email: filters.email && parseAddresses(filters.email),
    search: filters.search,
  };
}

/** The service says how far back its plan reaches. */
const LONGEST_DAYS = 3_650;

function timesOf(filters: FilterMap, now: Date, timeZone: string): Pick<EventListRequest, 'since' | 'until'> {
  const [since, until] = [onlyValue('since', filters), onlyValue('until', filters)];
  const range = parseTimeRange({ since, until }, now, { durationMs: DAY_MS, maxDays: LONGEST_DAYS, timeZone });
  return { since: since === undefined ? null : range.from, until: until === undefined ? null : range.to };
}

export const LIST = 'lookup.list';
const SHARE = 'share.events';

/** More are only shown to who asks for them, also where everybody sees the list. `named`: the filter as others may see it. */
export function listMessage(list: EventList, seal: Seal, named = list.request.filter): MessageContent {
  const { environment, request, events, unreadable, next } = list;
  const filter = filterNames(named);
  if (events.length + unreadable + request.from === 0 && next === null) return emptyMessage(list, filter);
  const title = joined([badge(environment), ...(filter.length === 1 ? filter : [])], ' · ');
  const hasSubscribers = !isAboutOneSubscriber(request.filter);
  const isAll = (shown: number) => shown === events.length && next === null;
  return listMessageOf({
    caption: (shown) => {
      const before = events[0]?.at ?? request.from;
      const total = isAll(shown) ? before + shown : 'more';
      return mrkdwn`${title} · ${countWords('event', { before, shown, total })}`;
    },
    columns: ['Transaction', 'Outcome', 'Workflow', ...(hasSubscribers ? ['Subscriber'] : []), 'When', 'Cause'],
    rows: events.map((event) => rowOf(event, request, hasSubscribers)),
    notes: [
      ...(filter.length > 1 ? [joined(filter, ' · ')] : []),
      mrkdwn`${coverage(request)}${orderWords(events.map(({ event }) => event))}`,
      ...(unreadable === 0 ? [] : [mrkdwn`${unreadable} unreadable`]),
    ],
    lookUp: LOOK_UP,
    buttons: (shown) => {
      const after = events[shown]?.at ?? next;
      return [
        ...loadMoreButton(LIST, after === null ? null : writeList({ ...request, from: after }, seal)),
        ...(shown > 0 ? [button('Share', SHARE, writeList(request, seal))] : []),
      ];
    },
  });
}

function emptyMessage({ environment, request }: EventList, filter: readonly Markup[]): MessageContent {
  const title = joined([badge(environment), ...filter], ' · ');
  const next = mrkdwn`Upper and lower case matter, and so does ${code('env:')}.`;
  if (request.since === null && request.until === null)
    return whatNext(mrkdwn`${title} has no events that the service still keeps.`, next);
  return whatNext(mrkdwn`${title} · no events · ${coverage(request)}`, mrkdwn`Ask for a longer time. ${next}`);
}

function coverage({ since, until, before }: EventListRequest): Markup {
  const from = since === null ? [] : [mrkdwn`Since ${time(since, 'day')}`];
  const to = until === null ? [] : [mrkdwn`Until ${time(until, 'day')}`];
  return joined([...from, ...to, mrkdwn`As of ${time(before, 'day')}`], ' · ');
}

const NOUNS: { readonly [Key in keyof EventFilter]-?: string } = {
  workflow: 'Workflow',
  channel: 'Channel',
  topic: 'Topic',
  severity: 'Severity',
  tx: 'Transaction',
  context: 'Exactly the contexts',
  subscriber: 'Subscriber',
  email: 'Email',
  search: 'Search',
};

export function filterNames(filter: EventFilter): Markup[] {
  const words = (keys: readonly (keyof EventFilter)[]) =>
    keys.flatMap((key) => onlyWords(NOUNS[key], shownValues(key, filter[key] ?? [])));
  // The service returns the events of whoever one of these finds.
  const people = words(['subscriber', 'email', 'search']);
  return [
    ...words(['workflow', 'channel', 'topic', 'severity', 'tx', 'context']),
    ...(people.length === 0 ? [] : [joined(people, ' or ')]),
  ];
}

function shownValues(key: keyof EventFilter, values: readonly string[]): readonly string[] {
  if (key === 'email') return values.map(maskEmail);
  if (key === 'channel') return values.map(channelName);
  if (key === 'context' && values.length > 0) return [values.join(', ')];
  return values;
}

/** A part of an address can't be told from a word. */
function forOthers(filter: EventFilter): EventFilter {
  return { ...filter, search: filter.search?.map(() => MASK) };
}

function isAboutOneSubscriber({ subscriber = [], email = [], search = [] }: EventFilter): boolean {
  return subscriber.length === 1 && email.length + search.length === 0;
}

export function listButton(label: string, request: EventListRequest, seal: Seal): Button {
  return button(label, LIST, writeList(request, seal));
}

/** Encrypted, because Slack stores it, and a filter may be a contact. */
function writeList(request: EventListRequest, seal: Seal): string {
  return writeValue([seal.close(JSON.stringify(request))]);
}

const Moment = z.iso.datetime().transform((text) => new Date(text));

const Written = z.object({
  environment: z.string(),
  filter: z.partialRecord(z.enum(EVENT_FILTERS), z.array(z.string())),
  workflowIds: z.array(z.string()),
  since: Moment.nullable(),
  until: Moment.nullable(),
  before: Moment,
  end: Moment.nullable(),
  from: z.int().nonnegative(),
});

export function parseList(value: string, seal: Seal): EventListRequest | null {
  const sealed = parseOnly(value);
  const written = sealed === null ? null : seal.open(sealed);
  return written === null ? null : (Written.safeParse(JSON.parse(written)).data ?? null);
}

type Found = EventList['events'][number];

function rowOf({ event, judgement }: Found, { environment }: EventListRequest, hasSubscribers: boolean): ListRow {
  const request = { environment, target: targetOf(event) };
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
    choice: option(`${outcome} · ${event.transactionId}`, writeLookup(request)),
  };
}

function causeWords({ verdict, failures }: Found['judgement']): string {
  const failure = failures.find((failure) => failure.verdict === verdict);
  return failure === undefined ? '' : `${channelVia(failure.channel, failure.provider)}: ${failure.cause.text}`;
}

/** As the rows' times show it: the service doesn't promise an order of its lists. */
function orderWords(rows: readonly { readonly createdAt: Date | null }[]): Markup {
  const times = rows.flatMap(({ createdAt }) => (createdAt === null ? [] : [createdAt.getTime()]));
  const [first = 0, last = 0] = [times.at(0), times.at(-1)];
  if (first === last) return mrkdwn``;
  return first > last ? mrkdwn`, the newest first` : mrkdwn`, the oldest first`;
}

/** Throws `ServiceError` if the service can't be read. */
export function listOf(ctx: SlackCtx, request: EventListRequest): Promise<EventList> {
  return listEvents({ ...ctx, environment: environmentNamed(request.environment, ctx.environments) }, request);
}
