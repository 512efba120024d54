import { type HistoryPage, history } from '../../../incidents/history.ts';
import { type IncidentNow, refOf } from '../../../incidents/incident.ts';
import { writeIncidentRef } from '../../../incidents/incident-ref.ts';
import { isNotAFailure } from '../../../judging/verdict.ts';
import type { Environment } from '../../../lib/environment.ts';
import { DAY_MS, describeDuration, lengthOf, type TimeRange } from '../../../lib/time/durations.ts';
import { coverageIn } from '../../../lookups/coverage.ts';
import type { SlackCtx } from '../../ctx.ts';
import { rowEmoji } from '../../incident-view/incident-row.ts';
import { incidentTitle, titleText } from '../../incident-view/incident-title.ts';
import { noteWords, relapsesWords, totalFailures } from '../../incident-view/incident-words.ts';
import { cursorNumber } from '../../kit/buttons.ts';
import { filterWords } from '../../kit/filter-words.ts';
import { commandList, type ListRow, olderCursor, ROWS_LOADED } from '../../kit/list.ts';
import type { MessageContent } from '../../kit/message.ts';
import { peopleCount } from '../../kit/outcomes.ts';
import { badge, grouped, joined, mrkdwn, person } from '../../kit/text.ts';
import { datedWindow, time, windowsWords } from '../../kit/times.ts';
import type { Command } from '../../router/command.ts';
import { FAILURE_KEYS, type FailureRequest, failureCommand, failureText } from '../../router/failure-command.ts';

export function historyCommand(ctx: SlackCtx): Command {
  const { db, now, retentionDays } = ctx;
  return failureCommand(ctx, {
    word: 'history',
    purpose: 'failing',
    about: 'incidents of the last 30 days, or since:7d, who took them, and notes; unseen: those that nobody looked at',
    examples: ['', 'since:7d channel:email', 'unseen: since:today'],
    usualMs: Math.min(30, retentionDays) * DAY_MS,
    isToNow: true,
    filters: [...FAILURE_KEYS, 'unseen'],
    answer: async (request, { environment, filters }) => {
      const { environment: name, filter, from: since, page } = request;
      // Coverage is read first, so that the list is never older.
      const checked = await coverageIn(db, name, { from: since, to: now() });
      const isUnseen = filters.unseen !== undefined;
      const query = { environment: name, filter, since, isUnseen, olderThan: cursorNumber(page), limit: ROWS_LOADED };
      return historyMessage({ ...(await history(db, query, now())), ...checked, environment, isUnseen }, request);
    },
  });
}

interface History extends HistoryPage {
  checkedTo: Date | null;
  missing: readonly TimeRange[];
  environment: Environment;
  isUnseen: boolean;
}

export function historyMessage(
  { incidents, hasOlder, checkedTo, missing, environment, isUnseen }: History,
  request: FailureRequest,
): MessageContent {
  return commandList({
    text: `${failureText('history', { ...request, to: null })}${isUnseen ? ' unseen:' : ''}`,
    page: request.page,
    title:
      incidents.length > 0 ? badge(environment) : mrkdwn`${missing.length === 0 ? '✅' : '⚪'} ${badge(environment)}`,
    noun: 'incident',
    columns: ['Incident', 'Outcome', 'When', 'Failures'],
    rows: incidents.map(rowOf),
    notes: [
      mrkdwn`Since ${time(request.from)}`,
      filterWords(request.filter),
      isUnseen && 'Only what nobody acknowledged, assigned, noted or resolved',
      checkedTo === null ? 'Not checked yet' : mrkdwn`Checked to ${time(checkedTo)}`,
      checkedTo && missing.length > 0 && mrkdwn`⚠️ Not checked: ${windowsWords(missing, datedWindow)}`,
    ],
    nextCursor: (count) => olderCursor(incidents, hasOlder, count),
    isShareable: false,
  });
}

function rowOf(incident: IncidentNow): ListRow {
  const { id, kind, subscribers, note } = incident;
  const { beganAt, lastAt, earlier, acknowledged, assignedTo } = incident;
  const current = { from: beganAt, to: lastAt };
  const [{ from } = current] = earlier;
  const ms = [...earlier, current].reduce((sum, outbreak) => sum + lengthOf(outbreak), 0);
  const inOutbreaks = earlier.length > 0 && mrkdwn`in ${earlier.length + 1} outbreaks`;
  const count = totalFailures(incident);
  const taken = [
    acknowledged && mrkdwn`acknowledged by ${person(acknowledged.actor)}`,
    assignedTo && mrkdwn`assigned to ${person(assignedTo)}`,
  ];
  return {
    cells: [
      mrkdwn`${rowEmoji(incident)} #${id} ${incidentTitle(incident)}`,
      joined([outcomeWords(incident), ...taken, note && mrkdwn`${person(note.actor)}: ${noteWords(note)}`]),
      ms < 1_000 && !inOutbreaks
        ? time(from)
        : mrkdwn`${datedWindow({ from, to: lastAt })} (${joined([describeDuration(ms), inOutbreaks], ' ')})`,
      { text: kind === 'failures' ? `${grouped(count)}, ${peopleCount(subscribers)}` : '', sortBy: count },
    ],
    lookUp: [`#${id} ${titleText(incident)}`, `#${writeIncidentRef(refOf(incident))}`],
  };
}

function outcomeWords(incident: IncidentNow) {
  const { state, verdict } = incident;
  const again = relapsesWords(incident);
  if (isNotAFailure(verdict)) return 'not alerted';
  if (state.is === 'firing') return mrkdwn`still failing${again}`;
  if (state.is !== 'resolved')
    return mrkdwn`${state.is === 'recovering' ? 'recovering' : 'unconfirmed recovery'}, no failures since ${time(state.since)}${again}`;
  if (state.ending === 'unconfirmed') return mrkdwn`over ${time(state.at)}, recovery unconfirmed${again}`;
  return mrkdwn`resolved${state.actor ? mrkdwn` by ${person(state.actor)}` : ''} ${time(state.at)}${again}`;
}
