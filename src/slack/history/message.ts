import type { SectionBlock } from '@slack/types';
import type { Environment } from '../../domain/environment.ts';
import type { IncidentNow } from '../../domain/incidents/incident-now.ts';
import type { Taken } from '../../domain/incidents/last-time.ts';
import { NOTES_KEPT_DAYS } from '../../domain/incidents/note.ts';
import type { PastIncident } from '../../domain/incidents/past-incident.ts';
import { describeDuration } from '../../domain/time/time-range.ts';
import type { HistoryPage } from '../../use-cases/incidents/list-history.ts';
import { badge } from '../blocks/badge.ts';
import { context, type MessageContent, message, section } from '../blocks/blocks.ts';
import { olderButtons } from '../blocks/buttons/older-buttons.ts';
import { fitCount } from '../blocks/fit.ts';
import { groupCause } from '../blocks/incident/group-words.ts';
import { incidentMenu, pastMenu, writeActionTarget } from '../blocks/incident/incident-menu.ts';
import { incidentTitle, incidentWords, relapsedMark, shownVerdict } from '../blocks/incident/incident-words.ts';
import { noteLine, takenWords } from '../blocks/incident/last-time.ts';
import { failureCount, VERDICT_EMOJI } from '../blocks/incident/verdict-word.ts';
import { datedWindow, windowsWords } from '../blocks/incident/window-words.ts';
import { joined, type Markup, mrkdwn, person, plural } from '../blocks/text.ts';
import { atNear, time, timeNear } from '../blocks/times.ts';
import { filterWords } from '../blocks/words/only-words.ts';
import { type HistoryRequest, writeRequest } from './request-message.ts';

export const OLDER_INCIDENTS = 'history.older';
export const NEWEST_INCIDENTS = 'history.newest';

export const INCIDENTS_A_PAGE = 8;
const MOST_SPOKEN = 3;

export interface HistoryOptions {
  readonly environment: Environment;
  readonly request: HistoryRequest;
  /** How long episodes are kept. */
  readonly retentionDays: number;
}

/** Builds a page of incidents for one person, most recent start first: duration, failures, who had it, and notes. */
export function historyMessage(page: HistoryPage, options: HistoryOptions): MessageContent {
  const { incidents } = page;
  const headline = headlineOf(page, options);
  const only = filterWords(options.request.filter, 'requester');
  const numbers = incidents.map(({ now }) => now.episodeId);
  const { blocks } = fitCount(incidents.length, (shown) => [
    section(headline),
    ...(only === null ? [] : [context(only)]),
    ...incidents.slice(0, shown).map(rowOf),
    context(...uncheckedLine(page), keptWords(page, options)),
    ...olderButtons({ numbers, hasOlder: page.hasOlder }, shown, options.request, TURNS),
  ]);
  const spoken = incidents.slice(0, MOST_SPOKEN).map(({ now }) => mrkdwn`${incidentWords(now)}.`);
  return message(joined([headline, ...spoken], ' '), blocks);
}

function headlineOf({ incidents, asOf, unchecked }: HistoryPage, { environment, request }: HistoryOptions): Markup {
  const { since, olderThan, filter } = request;
  const from = mrkdwn`since ${time(since, 'day')}`;
  if (incidents.length > 0) {
    return mrkdwn`${badge(environment)} · *incidents* ${from}, the newest first${olderThan === null ? '' : ', older ones'}`;
  }
  if (asOf === null) return mrkdwn`⚪ ${badge(environment)} hasn't been checked yet, so no incidents are known.`;
  const such = filterWords(filter, 'requester') === null ? '' : ' such';
  const what = mrkdwn`in ${badge(environment)} ${from}${olderThan === null ? '' : ' before those'}.`;
  return unchecked.length === 0 ? mrkdwn`✅ No${such} incidents ${what}` : mrkdwn`⚪ No${such} incidents found ${what}`;
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

const TURNS = { older: OLDER_INCIDENTS, newest: NEWEST_INCIDENTS, write: writeRequest };

/** Builds an incident's row with its menu: people can add a note to one that is over. */
function rowOf(incident: PastIncident): SectionBlock {
  const { now, next } = incident;
  const lines = [
    mrkdwn`${emojiOf(incident)} ${incidentTitle(now)}${relapsedMark(now)} · #${String(now.episodeId)}`,
    groupCause(now.tally),
    joined(
      [
        ...spanWords(now),
        failureCount(now.tally.verdict, now.tally.failures),
        plural(now.tally.subscribers, 'subscriber'),
      ],
      ' · ',
    ),
    joined([outcomeWords(incident), ...takenWords(takenOf(now), true)], ' · '),
    ...noteLines(incident),
  ];
  const target = { messageId: null, episodeId: now.episodeId };
  const menu = next === null ? incidentMenu(now) : pastMenu();
  return { ...section(joined(lines, '\n')), block_id: writeActionTarget(target), accessory: menu };
}

function emojiOf({ now, next }: PastIncident): string {
  const { state } = now;
  if (next?.beganAs === 'goes-on') return '⚪';
  if (state.is === 'resolved') return '✅';
  return state.is === 'firing' && next === null ? VERDICT_EMOJI[shownVerdict(now)] : '⚪';
}

/** 'Mar 4 20:01 – 22:10 (2 h)': from the first failure to the last. */
function spanWords({ tally: { firstSeen, lastSeen } }: IncidentNow): Markup[] {
  const ms = lastSeen.getTime() - firstSeen.getTime();
  if (ms < 1_000) return [time(firstSeen, 'day')];
  return [mrkdwn`${time(firstSeen, 'day')} – ${timeNear(lastSeen, firstSeen)} (${describeDuration(ms)})`];
}

/** Describes an episode's outcome. If it goes on in a later one, the state is that of the last one. */
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
