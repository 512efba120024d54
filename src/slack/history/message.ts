import type { Environment } from '../../domain/environment.ts';
import { ALL_FAILURES } from '../../domain/failures/failure-filter.ts';
import { NOTES_KEPT_DAYS } from '../../domain/incidents/note.ts';
import { describeDuration, type TimeRange } from '../../domain/time/time-range.ts';
import type { IncidentNow } from '../../incidents/incident.ts';
import type { PastIncident } from '../../incidents/lists.ts';
import { badge } from '../blocks/badge.ts';
import { type MessageContent, message, option, section } from '../blocks/blocks.ts';
import { loadMoreButton } from '../blocks/buttons.ts';
import { incidentMenu, writeActionTarget } from '../blocks/incident/incident-menu.ts';
import { rowEmoji } from '../blocks/incident/incident-row.ts';
import {
  incidentTitle,
  noteLine,
  noteWords,
  type Taken,
  takenWords,
  titleText,
  titleWords,
} from '../blocks/incident/incident-words.ts';
import { failureCount } from '../blocks/incident/verdict-word.ts';
import { datedWindow, windowsWords } from '../blocks/incident/window-words.ts';
import { type ListRow, listMessage, olderThan } from '../blocks/list.ts';
import { joined, type Markup, mrkdwn, person, plural } from '../blocks/text.ts';
import { atNear, time, timeNear } from '../blocks/times.ts';
import { filterWords } from '../blocks/words/only-words.ts';
import { type HistoryRequest, writeRequest } from './request.ts';

export const MORE_INCIDENTS = 'history.more';
/** Its value is a `HistoryRequest` that begins with the incident. */
export const LOOK_UP_INCIDENT = 'history.look-up';

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
  const only = filterWords(request.filter, 'requester');
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
  const such = filterWords(filter, 'requester') === null ? '' : ' such';
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
