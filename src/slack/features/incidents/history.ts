import { z } from 'zod';
import { FAILURE_FILTERS, type FailureFilter, FILTER_NAMES, typedFilter } from '../../../failures/filter.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { history, incidentNow } from '../../../incidents/lists.ts';
import { notesOf } from '../../../incidents/memories.ts';
import { type Environment, environmentNamed } from '../../../lib/environment.ts';
import { type FilterKey, onlyValue } from '../../../lib/input/filters.ts';
import { NOTES_KEPT_DAYS, type Note } from '../../../lib/input/typed-values.ts';
import { shownOf, uncheckedIn } from '../../../lib/time/coverage.ts';
import { DAY_MS } from '../../../lib/time/durations.ts';
import { describeDuration, parseTimeRange, type TimeRange } from '../../../lib/time/time-range.ts';
import { coverageOf } from '../../../lookups/failures.ts';
import { unseenWorkflows } from '../../../lookups/filter-conditions.ts';
import { withSubscribers } from '../../../lookups/typed-lookup.ts';
import { uncheckedOf } from '../../../polling/gap.ts';
import { gapsIn } from '../../../polling/gaps.ts';
import type { SlackCtx } from '../../ctx.ts';
import { context, type MessageContent, message } from '../../kit/blocks.ts';
import { KeyOrNull, refuseTooLong, Time, valueParser, writeValue } from '../../kit/button-value.ts';
import { loadMoreButton } from '../../kit/buttons.ts';
import { readFilter, writeFilter } from '../../kit/failure-request.ts';
import {
  incidentOption,
  incidentRow,
  LOOK_UP_INCIDENT,
  parseActionTarget,
  rowEmoji,
} from '../../kit/incident/incident-row.ts';
import { environmentName, incidentSentence, incidentTitle, noteWords } from '../../kit/incident/incident-words.ts';
import { type ListRow, listMessage, olderThan, ROWS_LOADED } from '../../kit/list.ts';
import { badge, joined, type Markup, mrkdwn, person } from '../../kit/text.ts';
import { atNear, datedWindow, time, timeNear, windowsWords } from '../../kit/times.ts';
import { filterWords } from '../../kit/words/only-words.ts';
import { noSubscriberMessage, unseenMessage } from '../../kit/words/unseen-names.ts';
import type { CommandLine, Flow } from '../../router/command.ts';
import { answerRoutes, routesFor } from '../../router/route.ts';
import { FORGOTTEN } from './lists.ts';

export interface HistoryRequest {
  readonly environment: string;
  readonly filter: FailureFilter;
  readonly since: Date;
  /** To go on after a page; null: the first. */
  readonly olderThan: number | null;
}

export function writeRequest({ environment, filter, since, olderThan }: HistoryRequest): string {
  return writeValue([environment, String(since.getTime()), String(olderThan ?? ''), ...writeFilter(filter)]);
}

export const parseRequest = valueParser<HistoryRequest>(
  z.tuple([z.string(), Time, KeyOrNull], z.string()).transform(([environment, since, olderThan, ...lists]) => {
    return { environment, filter: readFilter(lists), since, olderThan };
  }),
);

const HISTORY_FILTERS: readonly FilterKey[] = [
  ...FILTER_NAMES.map((name) => FAILURE_FILTERS[name].key),
  ...(['email', 'since', 'env'] as const),
];

export const MORE_INCIDENTS = 'history.more';

export function historyFlow(ctx: SlackCtx): Flow {
  const { db, now, retentionDays } = ctx;
  return {
    commands: [
      {
        word: 'history',
        usage: '[filters]',
        about:
          'incidents of the last 30 days, or since:7d: how long, how much, who took them, and the notes about them',
        examples: ['', 'since:7d channel:email', 'workflow:order-shipped provider:sendgrid'],
        for: 'everyone',
        filters: HISTORY_FILTERS,
        follows: 'filters',
        answer: async (line, { reply }) => {
          const { environment } = line;
          const { filters, missing } = await withSubscribers(line.filters, ctx.serviceOf(environment.name), now());
          if (missing.length > 0) return reply.show(noSubscriberMessage(missing, environment));
          await reply.show(await answer(ctx, parseHistoryRequest({ ...line, filters }, now(), retentionDays)));
        },
      },
    ],
    routes: routesFor('everyone', [
      ...answerRoutes([MORE_INCIDENTS], parseRequest, (request) => answer(ctx, request)),
      ...answerRoutes([LOOK_UP_INCIDENT], parseActionTarget, async ({ incidentId }) => {
        const incident = await incidentNow(db, incidentId, now());
        return incident === null ? FORGOTTEN : pastIncidentMessage(incident, await notesOf(db, incidentId, MOST_NOTES));
      }),
    ]),
  };
}

async function answer(ctx: SlackCtx, request: HistoryRequest): Promise<MessageContent> {
  const { db, now, environments, retentionDays } = ctx;
  const environment = environmentNamed(request.environment, environments);
  // Read before the list, so that the list can be newer than this time but never older.
  const coverage = await coverageOf(db, environment.name);
  const range = shownOf({ from: request.since, to: now() }, { coverage });
  const gaps = (await gapsIn(db, environment.name, range)).flatMap((gap) => uncheckedOf(gap, range.to));
  const page = await history(db, { ...request, limit: ROWS_LOADED }, now());
  const unseen = await unseenWorkflows(db, request.filter.workflows, [environment]);
  if (unseen.length > 0) return unseenMessage(unseen, environment);
  const checked = { asOf: coverage?.to ?? null, unchecked: uncheckedIn(range, { coverage, gaps }) };
  return historyMessage({ ...page, ...checked }, { environment, request, retentionDays });
}

/** The default for `since:`. */
const USUAL_DAYS = 30;

/** Throws `InputError` for a filter that can't be applied, and for more values than a button can hold. */
export function parseHistoryRequest(
  { filters, environment, timeZone }: CommandLine,
  now: Date,
  retentionDays: number,
): HistoryRequest {
  const usual = { durationMs: Math.min(USUAL_DAYS, retentionDays) * DAY_MS, maxDays: retentionDays, timeZone };
  const { from } = parseTimeRange({ since: onlyValue('since', filters) }, now, usual);
  const request = { environment: environment.name, filter: typedFilter(filters), since: from, olderThan: null };
  refuseTooLong(writeRequest({ ...request, olderThan: 1e14 }), '/notif history channel:email');
  return request;
}

export interface HistoryPage {
  readonly incidents: readonly IncidentNow[];
  readonly hasOlder: boolean;
  readonly asOf: Date | null;
  readonly unchecked: readonly TimeRange[];
}

export interface HistoryOptions {
  readonly environment: Environment;
  readonly request: HistoryRequest;
  readonly retentionDays: number;
}

export function historyMessage(page: HistoryPage, options: HistoryOptions): MessageContent {
  const { incidents, hasOlder, asOf, unchecked } = page;
  const { request, retentionDays } = options;
  const only = filterWords(request.filter);
  const last = (shown: number) => olderThan(incidents, hasOlder, shown);
  const checked = asOf === null ? [] : [mrkdwn`Checked to ${time(asOf, 'day')}`];
  const kept = mrkdwn`Kept for ${retentionDays} days, notes for ${Math.max(NOTES_KEPT_DAYS, retentionDays)}`;
  return listMessage({
    caption: (shown) => captionOf(page, shown, last(shown) !== null, options),
    columns: ['Incident', 'What', 'When', 'Failures', 'People', 'Outcome', 'Last note'],
    rows: incidents.map(rowOf),
    notes: [
      ...(only === null ? [] : [only]),
      ...(asOf === null || unchecked.length === 0
        ? []
        : [mrkdwn`⚠️ Not checked: ${windowsWords(unchecked, datedWindow)}`]),
      joined([...checked, kept], ' · '),
    ],
    lookUp: LOOK_UP_INCIDENT,
    buttons: (shown) => {
      const rest = last(shown);
      return loadMoreButton(MORE_INCIDENTS, rest && writeRequest({ ...request, olderThan: rest.id }));
    },
  });
}

function captionOf(
  { asOf, unchecked }: HistoryPage,
  shown: number,
  isMore: boolean,
  { environment, request }: HistoryOptions,
): Markup {
  const { since, olderThan, filter } = request;
  const older = olderThan === null ? '' : ' older';
  const from = mrkdwn`since ${time(since, 'day')}`;
  if (shown > 0) {
    const noun = shown === 1 ? 'incident' : 'incidents';
    return mrkdwn`${badge(environment)} · ${shown}${older} ${noun} ${from}${isMore ? '; there are more' : ''}`;
  }
  if (asOf === null) return mrkdwn`⚪ ${badge(environment)} hasn't been checked yet, so no incidents are known.`;
  const such = filterWords(filter) === null ? '' : ' such';
  const isWhole = unchecked.length === 0;
  return mrkdwn`${isWhole ? '✅' : '⚪'} No${such}${older} incidents${isWhole ? '' : ' found'} in ${badge(environment)} ${from}.`;
}

function rowOf(incident: IncidentNow): ListRow {
  const { id, tally, note, firstAt, acknowledged, assigned } = incident;
  const ms = tally.lastSeen.getTime() - firstAt.getTime();
  const span =
    ms < 1_000
      ? time(firstAt, 'day')
      : mrkdwn`${time(firstAt, 'day')} – ${timeNear(tally.lastSeen, firstAt)} (${describeDuration(ms)})`;
  const taken = [
    ...(acknowledged === null ? [] : [mrkdwn`acknowledged by ${person(acknowledged.by)}`]),
    ...(assigned === null ? [] : [mrkdwn`assigned to ${person(assigned.to)}`]),
  ];
  return {
    cells: [
      { text: `${rowEmoji(incident)} #${id}`, sortBy: id },
      incidentTitle(incident),
      span,
      tally.failures,
      tally.subscribers,
      joined([outcomeWords(incident), ...taken], ' · '),
      note === null ? '' : mrkdwn`${person(note.by)}: ${noteWords(note)}`,
    ],
    choice: incidentOption(incident),
  };
}

function outcomeWords({ state, tally, relapses }: IncidentNow): Markup {
  const again = relapses === 0 ? '' : `, after ${relapses} ${relapses === 1 ? 'relapse' : 'relapses'}`;
  if (state.is === 'firing') return mrkdwn`still failing${again}`;
  if (state.is !== 'resolved')
    return mrkdwn`${state.is === 'recovering' ? 'recovering' : 'unconfirmed recovery'}, no failures since ${time(state.since, 'day')}${again}`;
  const by = state.by === null ? mrkdwn`recovered` : mrkdwn`resolved by ${person(state.by)}`;
  return mrkdwn`${by} ${atNear(state.at, tally.lastSeen)}${again}`;
}

const MOST_NOTES = 5;

/** Its row, with the notes before the one that the row shows. */
export function pastIncidentMessage(incident: IncidentNow, notes: readonly Note[]): MessageContent {
  const beside = environmentName(incident);
  const row = incidentRow(incident, { messageId: null, beside, cause: null, namesPeople: true, isTerse: false });
  const earlier = notes
    .slice(1)
    .map((note) => mrkdwn`📝 ${person(note.by)}, ${time(note.at, 'day')}: ${noteWords(note)}`);
  return message(incidentSentence(incident, beside), [...row, ...(earlier.length === 0 ? [] : [context(...earlier)])]);
}
