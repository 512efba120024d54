import type { IncidentNow } from '../../../incidents/incident.ts';
import { history, incidentNow } from '../../../incidents/lists.ts';
import { notesOf } from '../../../incidents/memories.ts';
import { type Environment, environmentNamed } from '../../../lib/environment.ts';
import type { Note } from '../../../lib/input/typed-values.ts';
import { shownOf, uncheckedIn } from '../../../lib/time/coverage.ts';
import { DAY_MS } from '../../../lib/time/durations.ts';
import { describeDuration, type TimeRange } from '../../../lib/time/time-range.ts';
import { coverageOf } from '../../../lookups/failures.ts';
import { uncheckedOf } from '../../../polling/gap.ts';
import { gapsIn } from '../../../polling/gaps.ts';
import type { Db } from '../../../store/db.ts';
import type { SlackCtx } from '../../ctx.ts';
import { context, type MessageContent } from '../../kit/blocks.ts';
import type { ListPage } from '../../kit/buttons.ts';
import type { FailureRequest } from '../../kit/failure-request.ts';
import { incidentOption, LOOK_UP_INCIDENT, parseActionTarget, rowEmoji } from '../../kit/incident/incident-row.ts';
import { incidentTitle, noteWords } from '../../kit/incident/incident-words.ts';
import { commandList, type ListRow, olderThan, ROWS_LOADED } from '../../kit/list.ts';
import { badge, joined, type Markup, mrkdwn, person, plural } from '../../kit/text.ts';
import { atNear, datedWindow, time, timeNear, windowsWords } from '../../kit/times.ts';
import { filterWords } from '../../kit/words/filter-words.ts';
import type { Flow } from '../../router/command.ts';
import { failureCommand, failureText } from '../../router/failure-command.ts';
import { answerRoutes, routesFor } from '../../router/route.ts';
import { FORGOTTEN } from './lists.ts';
import { rowMessage } from './verbs.ts';

const MOST_NOTES = 5;

const USUAL_DAYS = 30;

export function historyFlow(ctx: SlackCtx): Flow {
  const { db, now, retentionDays } = ctx;
  const words = {
    word: 'history',
    about: 'incidents of the last 30 days, or since:7d: how long, how much, who took them, and the notes about them',
    examples: ['', 'since:7d channel:email', 'workflow:order-shipped provider:sendgrid'],
    usualMs: Math.min(USUAL_DAYS, retentionDays) * DAY_MS,
    longestMs: retentionDays * DAY_MS,
  };
  return {
    commands: [failureCommand(ctx, words, (request, { page }) => answer(ctx, request, page))],
    routes: routesFor(
      'everyone',
      answerRoutes([LOOK_UP_INCIDENT], parseActionTarget, async ({ incidentId }) => {
        const incident = await incidentNow(db, incidentId, now());
        return incident === null ? FORGOTTEN : pastIncidentMessage(incident, await notesOf(db, incidentId, MOST_NOTES));
      }),
    ),
  };
}

async function answer(ctx: SlackCtx, request: FailureRequest, page: ListPage | undefined): Promise<MessageContent> {
  const { db, now } = ctx;
  const { filter, from: since } = request;
  const environment = environmentNamed(request.environment, ctx.environments);
  // Read before the list, which may be newer than this time but never older.
  const checked = await checkedIn(db, environment.name, { from: since, to: now() });
  const olderThan = page === undefined ? null : Number(page.cursor);
  const query = { environment: environment.name, filter, since, olderThan, limit: ROWS_LOADED };
  return historyMessage({ ...(await history(db, query, now())), ...checked, environment, page }, request);
}

export async function checkedIn(db: Db, environment: string, range: TimeRange) {
  const coverage = await coverageOf(db, environment);
  const gaps = await gapsIn(db, environment, range);
  const inGaps = gaps.flatMap((gap) => uncheckedOf(gap, range.to));
  const unchecked = uncheckedIn(shownOf(range, { coverage }), { coverage, gaps: inGaps });
  return { checkedTo: coverage?.to ?? null, gaps, unchecked };
}

export interface History {
  readonly incidents: readonly IncidentNow[];
  readonly hasOlder: boolean;
  readonly checkedTo: Date | null;
  readonly unchecked: readonly TimeRange[];
  readonly environment: Environment;
  readonly page: ListPage | undefined;
}

export function historyMessage(shown: History, request: FailureRequest): MessageContent {
  const { incidents, hasOlder, checkedTo, unchecked, environment, page } = shown;
  const only = filterWords(request.filter);
  const isClear = checkedTo !== null && unchecked.length === 0;
  const empty = isClear ? '✅ ' : '⚪ ';
  return commandList({
    text: failureText('history', request),
    page,
    title: mrkdwn`${incidents.length === 0 ? empty : ''}${badge(environment)} · since ${time(request.from, 'day')}`,
    noun: 'incident',
    total: null,
    columns: ['Incident', 'What', 'When', 'Failures', 'People', 'Outcome', 'Last note'],
    rows: incidents.map(rowOf),
    notes: [
      ...(only === null ? [] : [only]),
      checkedTo === null ? mrkdwn`Not checked yet` : mrkdwn`Checked to ${time(checkedTo, 'day')}`,
      ...(isClear || checkedTo === null ? [] : [mrkdwn`⚠️ Not checked: ${windowsWords(unchecked, datedWindow)}`]),
    ],
    lookUp: LOOK_UP_INCIDENT,
    next: (count) => olderThan(incidents, hasOlder, count)?.id.toString() ?? null,
    isShareable: false,
  });
}

function rowOf(incident: IncidentNow): ListRow {
  const { id, tally, note, firstAt, acknowledged, assigned } = incident;
  const ms = tally.lastSeen.getTime() - firstAt.getTime();
  const from = time(firstAt, 'day');
  const taken = [
    ...(acknowledged === null ? [] : [mrkdwn`acknowledged by ${person(acknowledged.by)}`]),
    ...(assigned === null ? [] : [mrkdwn`assigned to ${person(assigned.to)}`]),
  ];
  return {
    cells: [
      { text: `${rowEmoji(incident)} #${id}`, sortBy: id },
      incidentTitle(incident),
      ms < 1_000 ? from : mrkdwn`${from} – ${timeNear(tally.lastSeen, firstAt)} (${describeDuration(ms)})`,
      tally.failures,
      tally.subscribers,
      joined([outcomeWords(incident), ...taken], ' · '),
      note === null ? '' : mrkdwn`${person(note.by)}: ${noteWords(note)}`,
    ],
    choice: incidentOption(incident),
  };
}

function outcomeWords({ state, tally, relapses }: IncidentNow): Markup {
  const again = relapses === 0 ? mrkdwn`` : mrkdwn`, after ${plural(relapses, 'relapse')}`;
  if (state.is === 'firing') return mrkdwn`still failing${again}`;
  if (state.is !== 'resolved')
    return mrkdwn`${state.is === 'recovering' ? 'recovering' : 'unconfirmed recovery'}, no failures since ${time(state.since, 'day')}${again}`;
  const how = state.by === null ? mrkdwn`recovered` : mrkdwn`resolved by ${person(state.by)}`;
  return mrkdwn`${how} ${atNear(state.at, tally.lastSeen)}${again}`;
}

export function pastIncidentMessage(incident: IncidentNow, notes: readonly Note[]): MessageContent {
  const { text, blocks } = rowMessage(incident);
  const earlier = notes
    .slice(1)
    .map(({ by, at, text }) => mrkdwn`📝 ${person(by)}, ${time(at, 'day')}: ${noteWords({ text })}`);
  return { text, blocks: [...blocks, ...(earlier.length === 0 ? [] : [context(...earlier)])] };
}
