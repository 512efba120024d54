import type { Environment } from '../../domain/environment.ts';
import { ALL_FAILURES } from '../../domain/failures/failure-filter.ts';
import type { PastIncident } from '../../domain/incidents/history.ts';
import type { IncidentNow } from '../../domain/incidents/incident-now.ts';
import type { Taken } from '../../domain/incidents/last-time.ts';
import { NOTES_KEPT_DAYS } from '../../domain/incidents/note.ts';
import { describeDuration } from '../../domain/time/time-range.ts';
import type { HistoryPage } from '../../use-cases/incidents/list-history.ts';
import { badge } from '../blocks/badge.ts';
import { type MessageContent, message, option, section } from '../blocks/blocks.ts';
import { loadMoreButton } from '../blocks/buttons/load-more-button.ts';
import { groupCause, groupName } from '../blocks/incident/group-words.ts';
import { incidentMenu, pastMenu, writeActionTarget } from '../blocks/incident/incident-menu.ts';
import { incidentTitle, incidentWords, relapsedMark, shownVerdict } from '../blocks/incident/incident-words.ts';
import { noteLine, noteWords, takenWords } from '../blocks/incident/last-time.ts';
import { failureCount, VERDICT_EMOJI } from '../blocks/incident/verdict-word.ts';
import { datedWindow, windowsWords } from '../blocks/incident/window-words.ts';
import { type ListRow, listMessage, olderThan } from '../blocks/list.ts';
import { joined, type Markup, mrkdwn, person, plural } from '../blocks/text.ts';
import { atNear, time, timeNear } from '../blocks/times.ts';
import { filterWords } from '../blocks/words/only-words.ts';
import { type HistoryRequest, writeRequest } from './request-message.ts';

export const MORE_INCIDENTS = 'history.more';
/** Its value is a `HistoryRequest` that begins with the incident. */
export const LOOK_UP_INCIDENT = 'history.look-up';

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
    columns: ['Incident', 'What', 'Cause', 'When', 'Failures', 'People', 'Outcome', 'Last note'],
    rows: incidents.map((incident) => rowOf(incident, request)),
    notes: [...(only === null ? [] : [only]), ...uncheckedLine(page), keptWords(page, options)],
    lookUp: LOOK_UP_INCIDENT,
    buttons: (shown) => {
      const rest = last(shown);
      const more = rest === null ? null : writeRequest({ ...request, olderThan: rest.now.episodeId });
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
  const { tally, episodeId } = now;
  const [note] = notes;
  const one = { environment, since, filter: ALL_FAILURES, olderThan: episodeId + 1 };
  return {
    cells: [
      { text: `${emojiOf(incident)} #${episodeId}`, sortBy: episodeId },
      mrkdwn`${incidentTitle(now)}${relapsedMark(now)}`,
      groupCause(tally),
      joined(spanWords(now), ' · '),
      tally.failures,
      tally.subscribers,
      joined([outcomeWords(incident), ...takenWords(takenOf(now), true)], ' · '),
      note === undefined ? '' : mrkdwn`${person(note.by)}: ${noteWords(note)}`,
    ],
    choice: option(`#${episodeId} ${groupName(tally)}`, writeRequest(one)),
  };
}

/** People can add a note to an incident that is over. */
export function pastIncidentMessage(incident: PastIncident): MessageContent {
  const { now, next } = incident;
  const { verdict, failures, subscribers } = now.tally;
  const title = mrkdwn`${emojiOf(incident)} ${incidentTitle(now)}${relapsedMark(now)} · #${String(now.episodeId)}`;
  const lines = [
    title,
    groupCause(now.tally),
    joined([...spanWords(now), failureCount(verdict, failures), plural(subscribers, 'subscriber')], ' · '),
    joined([outcomeWords(incident), ...takenWords(takenOf(now), true)], ' · '),
    ...noteLines(incident),
  ];
  const target = { messageId: null, episodeId: now.episodeId };
  const menu = next === null ? incidentMenu(now) : pastMenu();
  return message(mrkdwn`${incidentWords(now)}.`, [
    { ...section(joined(lines, '\n')), block_id: writeActionTarget(target), accessory: menu },
  ]);
}

function emojiOf({ now, next }: PastIncident): string {
  const { state } = now;
  if (next?.beganAs === 'goes-on') return '⚪';
  if (state.is === 'resolved') return '✅';
  return state.is === 'firing' && next === null ? VERDICT_EMOJI[shownVerdict(now)] : '⚪';
}

function spanWords({ tally: { firstSeen, lastSeen } }: IncidentNow): Markup[] {
  const ms = lastSeen.getTime() - firstSeen.getTime();
  if (ms < 1_000) return [time(firstSeen, 'day')];
  return [mrkdwn`${time(firstSeen, 'day')} – ${timeNear(lastSeen, firstSeen)} (${describeDuration(ms)})`];
}

/** If an episode goes on in a later one, the state is that of the last one. */
function outcomeWords({ now: { state, tally }, next }: PastIncident): Markup {
  if (next?.beganAs === 'goes-on') return mrkdwn`went on as #${String(next.episodeId)}`;
  if (state.is === 'resolved') {
    const by = state.by === null ? mrkdwn`recovered` : mrkdwn`resolved by ${person(state.by)}`;
    return mrkdwn`${by} ${atNear(state.at, tally.lastSeen)}`;
  }
  if (next !== null) return mrkdwn`came back as #${String(next.episodeId)}`;
  if (state.is === 'firing') return mrkdwn`still failing`;
  return mrkdwn`${state.is === 'recovering' ? 'recovering, ' : ''}no failures since ${time(tally.lastSeen, 'day')}`;
}

function takenOf({ acknowledged, assigned }: IncidentNow): Taken {
  return { acknowledgedBy: acknowledged?.by ?? null, assignedTo: assigned?.to ?? null, resolvedBy: null };
}

function noteLines({ notes, moreNotes }: PastIncident): Markup[] {
  const lines = notes.flatMap((note) => noteLine({ note }, true));
  return moreNotes === 0 ? lines : [...lines, mrkdwn`and ${plural(moreNotes, 'earlier note')}`];
}
