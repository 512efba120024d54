import { z } from 'zod';
import {
  ALL_FAILURES,
  FAILURE_FILTERS,
  type FailureFilter,
  FILTER_NAMES,
  typedFilter,
} from '../../../failures/filter.ts';
import { WATCHED_VERDICTS } from '../../../failures/verdict.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { type HistoryQuery, history, type PastIncident } from '../../../incidents/lists.ts';
import { type Environment, environmentNamed } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import { type FilterKey, onlyValue } from '../../../lib/input/filters.ts';
import { NOTES_KEPT_DAYS } from '../../../lib/input/typed-values.ts';
import { shownOf, uncheckedIn } from '../../../lib/time/coverage.ts';
import { DAY_MS } from '../../../lib/time/durations.ts';
import { describeDuration, parseTimeRange, type TimeRange } from '../../../lib/time/time-range.ts';
import { coverageOf } from '../../../lookups/failures.ts';
import { withSubscribers } from '../../../lookups/subscribers.ts';
import { unseenWorkflows } from '../../../lookups/unseen-workflows.ts';
import { uncheckedOf } from '../../../polling/gap.ts';
import { gapsIn } from '../../../polling/gaps.ts';
import type { SlackCtx } from '../../ctx.ts';
import { type MessageContent, message, option, section } from '../../kit/blocks.ts';
import { KeyOrNull, refuseTooLong, Time, valueParser, writeValue } from '../../kit/button-value.ts';
import { loadMoreButton } from '../../kit/buttons.ts';
import { readFilter, writeFilter } from '../../kit/failure-request.ts';
import { incidentMenu, writeActionTarget } from '../../kit/incident/incident-menu.ts';
import { rowEmoji } from '../../kit/incident/incident-row.ts';
import {
  incidentTitle,
  noteLine,
  noteWords,
  type Taken,
  takenWords,
  titleText,
  titleWords,
} from '../../kit/incident/incident-words.ts';
import { failureCount } from '../../kit/incident/verdict-word.ts';
import { datedWindow, windowsWords } from '../../kit/incident/window-words.ts';
import { type ListRow, listMessage, olderThan, ROWS_LOADED } from '../../kit/list.ts';
import { badge, joined, type Markup, mrkdwn, person, plural } from '../../kit/text.ts';
import { atNear, time, timeNear } from '../../kit/times.ts';
import { filterWords } from '../../kit/words/only-words.ts';
import { noSubscriberMessage, unseenMessage } from '../../kit/words/unseen-names.ts';
import type { Command, CommandLine, Flow } from '../../router/command.ts';
import { answerRoutes, routesFor } from '../../router/route.ts';

export function historyFlow(ctx: SlackCtx): Flow {
  const { environments, serviceOf, db, now, retentionDays } = ctx;
  const messageOf = async (request: HistoryRequest) => {
    const environment = environmentNamed(request.environment, environments);
    const page = await listHistory(ctx, { ...request, limit: ROWS_LOADED });
    const unseen = await unseenWorkflows(db, request.filter.workflows, [environment]);
    if (unseen.length > 0) return unseenMessage(unseen, environment);
    return historyMessage(page, { environment, request, retentionDays });
  };
  const command: Command = {
    word: 'history',
    usage: '[filters]',
    about: 'incidents of the last 30 days, or since:7d: how long, how much, who took them, and the notes about them',
    examples: ['', 'since:7d channel:email', 'workflow:order-shipped provider:sendgrid'],
    for: 'everyone',
    filters: HISTORY_FILTERS,
    follows: 'filters',
    answer: async (line, { reply }) => {
      const { environment } = line;
      const { filters, missing } = await withSubscribers(line.filters, serviceOf(environment.name), now());
      if (missing.length > 0) return reply.show(noSubscriberMessage(missing, environment));
      await reply.show(await messageOf(parseHistoryRequest({ ...line, filters }, now(), retentionDays)));
    },
  };
  const oneOf = async (request: HistoryRequest) => {
    const [incident] = (await history(ctx.db, { ...request, limit: 1 }, now())).incidents;
    if (incident === undefined) throw new InputError('incident', 'This incident is no longer kept.', null);
    return pastIncidentMessage(incident);
  };
  const routes = routesFor('everyone', [
    ...answerRoutes([MORE_INCIDENTS], parseRequest, messageOf),
    ...answerRoutes([LOOK_UP_INCIDENT], parseRequest, oneOf),
  ]);
  return { commands: [command], routes };
}

async function listHistory({ db, now }: SlackCtx, query: HistoryQuery): Promise<HistoryPage> {
  // Read before the list, so that the list can be newer than this time but never older.
  const coverage = await coverageOf(db, query.environment);
  const range = shownOf({ from: query.since, to: now() }, { coverage });
  const gaps = (await gapsIn(db, query.environment, range)).flatMap((gap) => uncheckedOf(gap, range.to));
  return {
    ...(await history(db, query, now())),
    asOf: coverage?.to ?? null,
    unchecked: uncheckedIn(range, { coverage, gaps }),
  };
}

const HISTORY_FILTERS: readonly FilterKey[] = [
  ...FILTER_NAMES.map((name) => FAILURE_FILTERS[name].key),
  'email',
  'since',
  'env',
];

export interface HistoryRequest {
  readonly environment: string;
  readonly filter: FailureFilter;
  readonly since: Date;
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

const COMMAND = '/notif history';
/** What is only counted has no incidents, so that "none" would be no news. */
function refuseCounted({ verdicts }: Pick<FailureFilter, 'verdicts'>): void {
  const [first] = verdicts;
  const watched: readonly string[] = WATCHED_VERDICTS;
  if (first === undefined || verdicts.some((verdict) => watched.includes(verdict))) return;
  throw new InputError(
    'verdict',
    `verdict:${first} is only counted and has no incidents. ${COMMAND} takes verdict: with ${WATCHED_VERDICTS.join(', ')}.`,
    `/notif failures verdict:${first}`,
  );
}

/** The default for `since:`. */
const USUAL_DAYS = 30;

/**
 * By default the last 30 days, or as many as are kept. Throws `InputError` for a filter that can't be applied, and for
 * more values than a button can hold.
 */
export function parseHistoryRequest(
  { filters, environment, timeZone }: CommandLine,
  now: Date,
  retentionDays: number,
): HistoryRequest {
  const usual = { durationMs: Math.min(USUAL_DAYS, retentionDays) * DAY_MS, maxDays: retentionDays, timeZone };
  const { from } = parseTimeRange({ since: onlyValue('since', filters) }, now, usual);
  const filter = typedFilter(filters);
  refuseCounted(filter);
  const request = { environment: environment.name, filter, since: from, olderThan: null };
  refuseTooLong(writeRequest({ ...request, olderThan: 1e14 }), `${COMMAND} channel:email`);
  return request;
}

export const MORE_INCIDENTS = 'history.more';
/** Its value is a `HistoryRequest` that begins with the incident. */
const LOOK_UP_INCIDENT = 'history.look-up';

export interface HistoryPage {
  readonly incidents: readonly PastIncident[];
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
  const { incidents, hasOlder } = page;
  const { request } = options;
  const only = filterWords(request.filter);
  const last = (shown: number) => olderThan(incidents, hasOlder, shown);
  return listMessage({
    caption: (shown) => captionOf(page, shown, last(shown) !== null, options),
    columns: ['Incident', 'What', 'When', 'Failures', 'People', 'Outcome', 'Last note'],
    rows: incidents.map((incident) => rowOf(incident, request)),
    notes: [...(only === null ? [] : [only]), ...uncheckedLine(page), keptWords(page, options)],
    lookUp: LOOK_UP_INCIDENT,
    buttons: (shown) => {
      const rest = last(shown);
      const more = rest === null ? null : writeRequest({ ...request, olderThan: rest.now.id });
      return loadMoreButton(MORE_INCIDENTS, more);
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
  const what = mrkdwn`in ${badge(environment)} ${from}.`;
  return unchecked.length === 0
    ? mrkdwn`✅ No${such}${older} incidents ${what}`
    : mrkdwn`⚪ No${such}${older} incidents found ${what}`;
}

function uncheckedLine({ asOf, unchecked }: HistoryPage): Markup[] {
  if (asOf === null || unchecked.length === 0) return [];
  return [mrkdwn`⚠️ Not checked: ${windowsWords(unchecked, datedWindow)}`];
}

function keptWords({ asOf }: HistoryPage, { retentionDays }: HistoryOptions): Markup {
  const until = asOf === null ? [] : [mrkdwn`Checked to ${time(asOf, 'day')}`];
  const notes = Math.max(NOTES_KEPT_DAYS, retentionDays);
  return joined([...until, mrkdwn`Kept for ${retentionDays} days, notes for ${notes}`], ' · ');
}

function rowOf(incident: PastIncident, { environment, since }: HistoryRequest): ListRow {
  const { now, notes } = incident;
  const { tally, id } = now;
  const [note] = notes;
  const one = { environment, since, filter: ALL_FAILURES, olderThan: id + 1 };
  return {
    cells: [
      { text: `${rowEmoji(now)} #${id}`, sortBy: id },
      incidentTitle(now),
      joined(spanWords(now), ' · '),
      tally.failures,
      tally.subscribers,
      joined([outcomeWords(now), ...takenWords(takenOf(now), true)], ' · '),
      note === undefined ? '' : mrkdwn`${person(note.by)}: ${noteWords(note)}`,
    ],
    choice: option(`#${id} ${titleText(now)}`, writeRequest(one)),
  };
}

/** People can add a note to an incident that is over. */
export function pastIncidentMessage({ now, notes, moreNotes }: PastIncident): MessageContent {
  const { verdict, failures, subscribers } = now.tally;
  const lines = [
    mrkdwn`${rowEmoji(now)} ${incidentTitle(now)} · #${String(now.id)}`,
    joined([...spanWords(now), failureCount(verdict, failures), plural(subscribers, 'person', 'people')], ' · '),
    joined([outcomeWords(now), ...takenWords(takenOf(now), true)], ' · '),
    ...notes.flatMap(noteLine),
    ...(moreNotes === 0 ? [] : [mrkdwn`and ${plural(moreNotes, 'earlier note')}`]),
  ];
  const target = { messageId: null, incidentId: now.id };
  return message(mrkdwn`${titleWords(now)}.`, [
    { ...section(joined(lines, '\n')), block_id: writeActionTarget(target), accessory: incidentMenu(now) },
  ]);
}

function spanWords({ firstAt: firstSeen, tally: { lastSeen } }: IncidentNow): Markup[] {
  const ms = lastSeen.getTime() - firstSeen.getTime();
  if (ms < 1_000) return [time(firstSeen, 'day')];
  return [mrkdwn`${time(firstSeen, 'day')} – ${timeNear(lastSeen, firstSeen)} (${describeDuration(ms)})`];
}

function outcomeWords({ state, tally, relapses }: IncidentNow): Markup {
  const again = relapses === 0 ? mrkdwn`` : mrkdwn`, after ${plural(relapses, 'relapse')}`;
  switch (state.is) {
    case 'firing':
      return mrkdwn`still failing${again}`;
    case 'resolved': {
      const by = state.by === null ? mrkdwn`recovered` : mrkdwn`resolved by ${person(state.by)}`;
      return mrkdwn`${by} ${atNear(state.at, tally.lastSeen)}${again}`;
    }
    default:
      return mrkdwn`${state.is === 'recovering' ? 'recovering' : 'unconfirmed recovery'}, no failures since ${time(state.since, 'day')}${again}`;
  }
}

function takenOf({ acknowledged, assigned }: IncidentNow): Taken {
  return { acknowledgedBy: acknowledged?.by ?? null, assignedTo: assigned?.to ?? null, resolvedBy: null };
}
