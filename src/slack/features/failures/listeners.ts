import { FAILURE_FILTERS, FILTER_NAMES, typedFilter } from '../../../failures/filter.ts';
import type { CheckNow } from '../../../health/check.ts';
import { incidentsNow } from '../../../incidents/queries.ts';
import { environmentNamed } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import type { FilterKey, FilterMap } from '../../../lib/input/filters.ts';
import { DAY_MS, HOUR_MS } from '../../../lib/time/durations.ts';
import { parseTimeRange } from '../../../lib/time/time-range.ts';
import { findFailures } from '../../../lookups/failures.ts';
import { unseenWorkflows } from '../../../lookups/filter-conditions.ts';
import { withSubscribers } from '../../../lookups/typed-lookup.ts';
import type { SlackCtx } from '../../ctx.ts';
import type { MessageContent } from '../../kit/blocks.ts';
import { refuseTooLong } from '../../kit/button-value.ts';
import { type FailureRequest, parseRequest, writeRequest } from '../../kit/failure-request.ts';
import { noSubscriberMessage, unseenMessage } from '../../kit/words/unseen-names.ts';
import type { Command, CommandLine, Flow } from '../../router/command.ts';
import { answerRoutes, pageRoutes, type Route, routesFor } from '../../router/route.ts';
import { shareRoutes } from '../../router/share-route.ts';
import { chartRoutes, failuresChart } from './chart.ts';
import { causesOnPage, failuresMessage, NEXT, OLDER, PREVIOUS, REFRESH, SHARE } from './message.ts';

const FILTERS: readonly FilterKey[] = [
  ...FILTER_NAMES.map((name) => FAILURE_FILTERS[name].key),
  'email',
  'since',
  'until',
  'env',
];

export function failuresFlow(ctx: SlackCtx): Flow {
  return {
    commands: [failuresCommand(ctx), chartCommand(ctx)],
    routes: [...failuresRoutes(ctx), ...chartRoutes(ctx)],
  };
}

function failuresCommand(ctx: SlackCtx): Command {
  return {
    word: 'failures',
    usage: '[filters]',
    about: 'what failed in the last hour, or since:2h, by cause',
    examples: ['', 'since:2h channel:email', 'workflow:order-shipped severity:high'],
    for: 'everyone',
    filters: FILTERS,
    follows: 'filters',
    answer: async (line, { reply }) => {
      const request = await requestOf(ctx, line, '/notif failures');
      await reply.show('blocks' in request ? request : await messageOf(ctx, request));
    },
  };
}

function chartCommand(ctx: SlackCtx): Command {
  return {
    word: 'chart',
    usage: '[filters]',
    about: 'the same failures over time, as a chart',
    examples: ['', 'since:1d provider:sendgrid'],
    for: 'everyone',
    filters: FILTERS,
    follows: 'filters',
    answer: async (line, { reply, userId }) => {
      const request = await requestOf(ctx, line, '/notif chart');
      await reply.show('blocks' in request ? request : await failuresChart(ctx, request, userId));
    },
  };
}

/** A message if no subscriber has an email address. */
async function requestOf(ctx: SlackCtx, line: CommandLine, command: string): Promise<FailureRequest | MessageContent> {
  const { environment } = line;
  const { filters, missing } = await withSubscribers(line.filters, ctx.serviceOf(environment.name), ctx.now());
  if (missing.length > 0) return noSubscriberMessage(missing, environment);
  return parseFailureRequest({ ...line, filters }, ctx.now(), ctx.horizonMs, command);
}

/** Another time range is another answer; another page replaces the current one. */
function failuresRoutes(ctx: SlackCtx): Route[] {
  const turned = (request: FailureRequest) => messageOf({ ...ctx, checkNow: null }, request);
  const refreshed = (request: FailureRequest) => messageOf(ctx, upToNow(request, ctx.now()));
  const shown = (request: FailureRequest) => messageOf(ctx, request);
  return routesFor('everyone', [
    ...pageRoutes([PREVIOUS, NEXT], parseRequest, turned),
    ...pageRoutes([REFRESH], parseRequest, refreshed),
    ...answerRoutes([OLDER], parseRequest, shown),
    ...shareRoutes(ctx, SHARE, parseRequest, shown),
  ]);
}

function upToNow(request: FailureRequest, now: Date): FailureRequest {
  const lengthMs = request.to.getTime() - request.from.getTime();
  return { ...request, from: new Date(now.getTime() - lengthMs), to: now, offset: 0 };
}

async function messageOf(
  ctx: Omit<SlackCtx, 'checkNow'> & { readonly checkNow: CheckNow | null },
  request: FailureRequest,
): Promise<MessageContent> {
  const { environments, db, checkNow, explainCause, now, horizonMs } = ctx;
  const environment = environmentNamed(request.environment, environments);
  const range = { from: request.from, to: request.to };
  const found = await findFailures({ environment, db, checkNow, now }, range, request.filter);
  if (found.trouble === null) {
    const unseen = await unseenWorkflows(db, request.filter.workflows, [environment]);
    if (unseen.length > 0) return unseenMessage(unseen, environment);
  }
  const shown = causesOnPage(found, request).flatMap(({ tally }) => tally.incidentId ?? []);
  const incidents = await incidentsNow(db, shown, null, now());
  return failuresMessage(found, { incidents, request, now: now(), horizonMs, explainCause });
}

/**
 * The last hour of everything by default. Throws `InputError` for a filter that can't be applied, and for more filters
 * than a button's value can hold.
 */
export function parseFailureRequest(
  { filters, environment, timeZone }: CommandLine,
  now: Date,
  horizonMs: number,
  command: string,
): FailureRequest {
  const range = parseTimeRange({ since: only('since', filters), until: only('until', filters) }, now, {
    durationMs: HOUR_MS,
    maxDays: horizonMs / DAY_MS,
    timeZone,
    older: '/notif events',
  });
  const request = { environment: environment.name, filter: typedFilter(filters), ...range, offset: 0 };
  refuseTooLong(writeRequest({ ...request, offset: 999_999 }), `${command} channel:email`);
  return request;
}

function only(key: 'since' | 'until', filters: FilterMap): string | undefined {
  const values = filters[key] ?? [];
  if (values.length > 1) throw new InputError(key, `${key}: takes one time.`, `${key}:2h`);
  return values[0];
}
