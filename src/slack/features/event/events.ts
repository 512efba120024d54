import { oneOf } from '../../../lib/closed-list.ts';
import { type FilterMap, onlyValue } from '../../../lib/input/filters.ts';
import { parseAddresses } from '../../../lib/input/typed-values.ts';
import { DAY_MS } from '../../../lib/time/durations.ts';
import { parseTimeRange } from '../../../lib/time/time-range.ts';
import {
  EVENT_FILTERS,
  type EventFilter,
  type EventListRequest,
  listRequest,
  workflowIdsOf,
} from '../../../lookups/event-list.ts';
import { refuseMasked } from '../../../lookups/typed-lookup.ts';
import { knownChannel, typedContextKey } from '../../../service/query.ts';
import type { SlackCtx } from '../../ctx.ts';
import { refuseTooLong } from '../../kit/button-value.ts';
import type { Command, CommandLine, Flow } from '../../router/command.ts';
import { answerRoutes, routesFor } from '../../router/route.ts';
import { shareRoutes } from '../../router/share-route.ts';
import { forOthers, LIST, listMessage, parseList, SHARE, writeList } from './events-message.ts';
import { listOf } from './lookup.ts';

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
