import { max, subDays, subHours } from 'date-fns';
import { z } from 'zod';
import { ALL_FAILURES } from '../../../failures/filter.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import {
  type Affected,
  failuresOf,
  history,
  incidentNumbered,
  type ListedFailure,
  mostAffected,
} from '../../../incidents/lists.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import { DAY_MS } from '../../../lib/time/durations.ts';
import { describeDuration, type TimeRange } from '../../../lib/time/time-range.ts';
import { coverageIn } from '../../../lookups/coverage.ts';
import { targetOf } from '../../../lookups/event.ts';
import type { SlackCtx } from '../../ctx.ts';
import { button, option } from '../../kit/blocks.ts';
import { Count, Key, LOOK_UP, numberIn, RUN_LOOK_UP, valueParser, writeLookup, writeValue } from '../../kit/buttons.ts';
import { rowEmoji } from '../../kit/incident/incident-row.ts';
import { parseActionTarget, writeActionTarget } from '../../kit/incident/incident-verbs.ts';
import { incidentHeading, incidentTitle, noteWords, titleText } from '../../kit/incident/incident-words.ts';
import { commandList, countWords, type ListRow, listMessage, olderThan, ROWS_LOADED } from '../../kit/list.ts';
import { type MessageContent, sentence } from '../../kit/message.ts';
import { badge, grouped, joined, type Markup, mrkdwn, person, plural } from '../../kit/text.ts';
import { atNear, datedWindow, time, timeNear, windowsWords } from '../../kit/times.ts';
import { filterWords } from '../../kit/words/filter-words.ts';
import type { Command } from '../../router/command.ts';
import { type FailureRequest, failureCommand, failuresChartButton, failureText } from '../../router/failure-command.ts';
import { answerRoute, type Route, routesFor } from '../../router/route.ts';

export const MORE_EVENTS = 'incident.events-more';
const AFFECTED = 'row.affected';
const AFFECTED_FILE = 'incident.affected-file';

export function listRoutes(ctx: SlackCtx): Route[] {
  return [
    ...routesFor('everyone', [
      answerRoute(MORE_EVENTS, parseEvents, (request) => events(ctx, request)),
      answerRoute(AFFECTED, parseActionTarget, ({ incidentId }) => affected(ctx, incidentId)),
    ]),
    ...routesFor('members', [
      answerRoute(AFFECTED_FILE, parseActionTarget, ({ incidentId }, { userId }) =>
        sendAffected(ctx, incidentId, userId),
      ),
    ]),
  ];
}

/** `upTo`: the newest failure that the first answer knew. */
type EventsRequest = { incidentId: number; upTo: number | null; offset: number };

export const parseEvents = valueParser<EventsRequest>(
  z.tuple([Key, Key, Count]).transform(([incidentId, upTo, offset]) => ({ incidentId, upTo, offset })),
);

export async function events({ db, now, environments }: SlackCtx, request: EventsRequest): Promise<MessageContent> {
  const { incidentId } = request;
  const incident = await incidentNumbered(db, incidentId, now());
  const { failures, upTo } = await failuresOf(db, incidentId, { ...request, limit: ROWS_LOADED + 1 });
  return incidentFailuresMessage({ ...request, upTo }, incident, failures, environments);
}

export function incidentFailuresMessage(
  request: EventsRequest & { upTo: number },
  incident: IncidentNow,
  failures: readonly ListedFailure[],
  environments: readonly Environment[],
): MessageContent {
  const { environment, channel, provider } = incident;
  const filter = { ...ALL_FAILURES, channels: [channel], providers: provider === null ? [] : [provider] };
  const chartFrom = max([subDays(incident.asOf, 1), subHours(incident.startedAt, 1)]);
  const { incidentId, upTo, offset: before } = request;
  const total = Math.max(incident.failures, before + failures.length);
  const target = writeActionTarget({ messageId: null, incidentId });
  return listMessage({
    caption: (shown) => {
      const count = shown === 0 ? 'no failures stored any longer' : countWords('failure', { before, shown, total });
      return mrkdwn`${count} · ${incidentHeading(incident, environments)}`;
    },
    columns: ['Transaction', 'Subscriber', 'When'],
    rows: failures.map(({ eventId: id, transactionId, subscriberId, occurredAt }) => ({
      cells: [transactionId, subscriberId ?? '', time(occurredAt, 'day')],
      choice: option(
        subscriberId ?? transactionId,
        writeLookup({ environment, target: targetOf({ id, transactionId }) }),
      ),
    })),
    lookUp: LOOK_UP,
    buttons: (shown) => [
      shown > 0 &&
        shown < failures.length &&
        button('Load more', MORE_EVENTS, writeValue([incidentId, upTo, before + shown].map(String))),
      button('View affected', AFFECTED, target),
      chartFrom < incident.lastAt && failuresChartButton({ environment, filter, from: chartFrom, to: null }),
    ],
  });
}

export async function affected({ db, now, environments }: SlackCtx, incidentId: number): Promise<MessageContent> {
  const incident = await incidentNumbered(db, incidentId, now());
  return affectedMessage(incident, await mostAffected(db, incidentId, ROWS_LOADED), environments);
}

export function affectedMessage(
  incident: IncidentNow,
  hit: readonly Affected[],
  environments: readonly Environment[],
): MessageContent {
  const { subscribers, failures } = incident;
  const total = Math.max(subscribers, hit.length);
  const nobody = mrkdwn`${plural(failures, 'failure names', 'failures name')} no subscriber that is still kept`;
  const target = writeActionTarget({ messageId: null, incidentId: incident.id });
  return listMessage({
    caption: (shown) =>
      mrkdwn`${shown === 0 ? nobody : countWords('subscriber', { before: 0, shown, total })} · ${incidentHeading(incident, environments)}`,
    columns: ['Subscriber', 'Failures', 'First', 'Last'],
    rows: hit.map((row) => ({
      cells: [row.subscriberId, row.failures, time(row.firstSeen, 'day'), time(row.lastSeen, 'day')],
    })),
    buttons: (shown) => [shown > 0 && button('Download CSV', AFFECTED_FILE, target)],
  });
}

async function sendAffected(ctx: SlackCtx, incidentId: number, userId: string): Promise<MessageContent> {
  const { db, now, client } = ctx;
  const { environment } = await incidentNumbered(db, incidentId, now());
  const { channel } = await client.conversations.open({ users: userId });
  if (channel?.id === undefined) throw new Error('the answer to conversations.open names no channel');
  await client.files.uploadV2({
    file: await affectedCsv(ctx, incidentId),
    filename: `affected-${environment}-${incidentId}.csv`,
    title: `Affected subscribers in ${labelled(environment, ctx.environments).label}`,
    channel_id: channel.id,
  });
  return sentence(mrkdwn`📄 The list is in your DMs with Notif, for you alone.`);
}

/** Some 2 MB, in memory: Slack requires the length before the first byte. */
const MOST_IN_FILE = 20_000;

async function affectedCsv({ db }: SlackCtx, incidentId: number): Promise<Buffer> {
  const hit = await mostAffected(db, incidentId, MOST_IN_FILE + 1);
  const rows = hit.slice(0, MOST_IN_FILE).map(({ subscriberId, failures, firstSeen, lastSeen }) => {
    return [subscriberId, `${failures}`, firstSeen.toISOString(), lastSeen.toISOString()];
  });
  const more = hit.length > MOST_IN_FILE ? [[`and more: a file holds ${MOST_IN_FILE} at most`]] : [];
  const lines = [['subscriber', 'failures', 'first failed at', 'last failed at'], ...rows, ...more].map(csvLine);
  return Buffer.from(lines.join(''));
}

/** A spreadsheet would calculate such a field (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r]/;

/** RFC 4180. */
export function csvLine(fields: readonly string[]): string {
  const quoted = fields.map((field) => `${FORMULA.test(field) ? `'${field}` : field}`.replaceAll('"', '""'));
  return `"${quoted.join('","')}"\r\n`;
}

const USUAL_DAYS = 30;

export function historyCommand(ctx: SlackCtx): Command {
  const { db, now, retentionDays } = ctx;
  const words = {
    word: 'history',
    about: 'incidents of the last 30 days, or since:7d, who took them, and notes',
    examples: ['', 'since:7d channel:email', 'workflow:order-shipped provider:sendgrid'],
    usualMs: Math.min(USUAL_DAYS, retentionDays) * DAY_MS,
    longestMs: retentionDays * DAY_MS,
  };
  return failureCommand(ctx, words, async (request, { environment }) => {
    const { environment: name, filter, from: since, page } = request;
    // Read before the list, which may be newer than this time but never older.
    const checked = await coverageIn(db, name, { from: since, to: now() });
    const query = { environment: name, filter, since, olderThan: numberIn(page), limit: ROWS_LOADED };
    return historyMessage({ ...(await history(db, query, now())), ...checked, environment }, request);
  });
}

export interface History {
  incidents: readonly IncidentNow[];
  hasOlder: boolean;
  checkedTo: Date | null;
  unchecked: readonly TimeRange[];
  environment: Environment;
}

export function historyMessage(shown: History, request: FailureRequest): MessageContent {
  const { incidents, hasOlder, checkedTo, unchecked, environment } = shown;
  const only = filterWords(request.filter);
  const isClear = checkedTo !== null && unchecked.length === 0;
  const empty = isClear ? '✅ ' : '⚪ ';
  return commandList({
    text: failureText('history', { ...request, to: null }),
    page: request.page,
    title: mrkdwn`${incidents.length === 0 ? empty : ''}${badge(environment)} · since ${time(request.from, 'day')}`,
    noun: 'incident',
    total: null,
    columns: ['Incident', 'What', 'When', 'Failures', 'People', 'Outcome', 'Last note'],
    rows: incidents.map(rowOf),
    notes: [
      only,
      checkedTo === null ? mrkdwn`Not checked yet` : mrkdwn`Checked to ${time(checkedTo, 'day')}`,
      !isClear && checkedTo !== null && mrkdwn`⚠️ Not checked: ${windowsWords(unchecked, datedWindow)}`,
    ],
    lookUp: RUN_LOOK_UP,
    next: (count) => olderThan(incidents, hasOlder, count)?.id.toString() ?? null,
    isShareable: false,
  });
}

function rowOf(incident: IncidentNow): ListRow {
  const { id, failures, recorded, subscribers, note, startedAt, lastAt, relapses, acknowledged, assignedTo } = incident;
  const ms = lastAt.getTime() - startedAt.getTime();
  const from = time(startedAt, 'day');
  const taken = [
    acknowledged !== null && mrkdwn`acknowledged by ${person(acknowledged.by)}`,
    assignedTo !== null && mrkdwn`assigned to ${person(assignedTo)}`,
  ];
  return {
    cells: [
      { text: `${rowEmoji(incident)} #${id}`, sortBy: id },
      incidentTitle(incident),
      ms < 1_000 ? from : mrkdwn`${from} – ${timeNear(lastAt, startedAt)} (${describeDuration(ms)})`,
      relapses === 0 ? failures : { text: `${grouped(failures)}, ${grouped(recorded)} in all`, sortBy: recorded },
      subscribers,
      joined([outcomeWords(incident), ...taken], ' · '),
      note === null ? '' : mrkdwn`${person(note.by)}: ${noteWords(note)}`,
    ],
    choice: option(`#${id} ${titleText(incident)}`, writeValue([`#${id}`])),
  };
}

function outcomeWords({ state, lastAt, relapses }: IncidentNow): Markup {
  const again = relapses === 0 ? mrkdwn`` : mrkdwn`, after ${plural(relapses, 'relapse')}`;
  if (state.is === 'firing') return mrkdwn`still failing${again}`;
  if (state.is !== 'resolved')
    return mrkdwn`${state.is === 'recovering' ? 'recovering' : 'unconfirmed recovery'}, no failures since ${time(state.since, 'day')}${again}`;
  const how = state.by === null ? mrkdwn`recovered` : mrkdwn`resolved by ${person(state.by)}`;
  return mrkdwn`${how} ${atNear(state.at, lastAt)}${again}`;
}
