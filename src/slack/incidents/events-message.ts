import type { ActionTarget, EpisodeFailure } from '../../domain/incidents/incident-actions.ts';
import type { IncidentNow } from '../../domain/incidents/incident-now.ts';
import { targetOf } from '../../domain/lookups/looked-up.ts';
import { actions, button, context, type MessageContent, message, section } from '../blocks/blocks.ts';
import { incidentChartButton } from '../blocks/buttons/chart-button.ts';
import { lookUpButton } from '../blocks/buttons/lookup-button.ts';
import { offsetButtons } from '../blocks/buttons/offset-buttons.ts';
import { fitCount } from '../blocks/fit.ts';
import { groupCause, groupName } from '../blocks/incident/group-words.ts';
import { AFFECTED, parseTargetAndOthers, writeActionTarget } from '../blocks/incident/incident-menu.ts';
import { incidentHeading } from '../blocks/incident/incident-words.ts';
import { code, joined, type Markup, mrkdwn } from '../blocks/text.ts';
import { timeNear } from '../blocks/times.ts';

/** The pages of an episode's failures. */
export const EVENTS_BACK = 'incident.events-back';
export const NEXT_EVENTS = 'incident.events-next';

export const ROWS_A_PAGE = 10;

/** A page of an episode's failures, from an offset counted from 0, limited to those that the first page knew. */
export interface EventsPage extends ActionTarget {
  readonly upTo: number | null;
  readonly offset: number;
}

/**
 * Builds a page of an episode's failures, newest first, each with a button for its event. An episode is kept for up to a day longer than its
 * failures.
 */
export function eventsMessage(page: EventsPage, now: IncidentNow, failures: readonly EpisodeFailure[]): MessageContent {
  const { offset } = page;
  const { tally } = now;
  if (failures.length === 0) return noLongerKept(page, now);
  const total = Math.max(tally.failures, offset + failures.length);
  const range = (count: number) => mrkdwn`Failures ${offset + 1}–${offset + count} of ${total}, the newest first`;
  const rows = failures.map((failure) =>
    section(
      lineOf(failure, now.asOf),
      lookUpButton({ environment: tally.group.environment, target: targetOf(identified(failure)) }),
    ),
  );
  const { blocks, shown } = fitCount(rows.length, (count) => [
    section(joined([incidentHeading(now), groupCause(tally)], '\n')),
    context(range(count)),
    ...rows.slice(0, count),
    ...actions([
      ...turns(page, { shown: count, read: rows.length, total }),
      button('View affected', AFFECTED, writeActionTarget(page)),
      incidentChartButton(groupName(tally), writeActionTarget(page)),
    ]),
  ]);
  return message(mrkdwn`${incidentHeading(now)}. ${range(shown)}.`, blocks);
}

/** The failures of this page were deleted since. */
function noLongerKept(page: EventsPage, now: IncidentNow): MessageContent {
  const words = mrkdwn`${incidentHeading(now)}: these failures are no longer kept.`;
  return message(words, [section(words), ...actions(turns(page, { shown: 0, read: 0, total: 0 }))]);
}

function identified({ eventId, transactionId }: EpisodeFailure) {
  return { id: eventId, transactionId };
}

function lineOf({ occurredAt, transactionId, subscriberId }: EpisodeFailure, asOf: Date): Markup {
  const whom = subscriberId === null ? mrkdwn`` : mrkdwn` for ${code(subscriberId)}`;
  return mrkdwn`${timeNear(occurredAt, asOf, 'seconds')} · ${code(transactionId)}${whom}`;
}

interface PageCounts {
  readonly shown: number;
  /** The failures that are kept for the page: fewer than a page has if those after it are no longer kept. */
  readonly read: number;
  readonly total: number;
}

function turns(page: EventsPage, { shown, read, total }: PageCounts) {
  const { offset } = page;
  const hasNext = shown < read || (read === ROWS_A_PAGE && offset + shown < total);
  return offsetButtons(
    'failures',
    { offset, shown, pageSize: ROWS_A_PAGE, hasNext },
    { previous: EVENTS_BACK, next: NEXT_EVENTS, write: (at) => writeEventsPage({ ...page, offset: at }) },
  );
}

export function writeEventsPage(page: EventsPage): string {
  return writeActionTarget(page, page.upTo === null ? '' : String(page.upTo), String(page.offset));
}

/** Parses a value of `writeEventsPage`. Null for anything else. */
export function parseEventsPage(value: string): EventsPage | null {
  const parsed = parseTargetAndOthers(value);
  const [upTo = '', offset = '', ...rest] = parsed?.others ?? [];
  if (parsed === null || rest.length > 0 || !/^\d{0,15}$/.test(upTo) || !/^\d{1,9}$/.test(offset)) return null;
  return { ...parsed.target, upTo: upTo === '' ? null : Number(upTo), offset: Number(offset) };
}
