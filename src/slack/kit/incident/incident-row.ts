import type { KnownBlock } from '@slack/types';
import type { ExplainedCause } from '../../../causes/explain-cause.ts';
import type { ChangeBefore } from '../../../changes/change.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { describeDuration } from '../../../lib/time/time-range.ts';
import { section } from '../blocks.ts';
import { code, joined, type Markup, mrkdwn, plural } from '../text.ts';
import { time } from '../times.ts';
import { nextLine } from './cause-words.ts';
import { changedWords } from './change-words.ts';
import { incidentActions, incidentMenu, writeActionTarget } from './incident-menu.ts';
import { briefFacts, factsLine, incidentTitle, peopleLine, shownVerdict, stateLine } from './incident-words.ts';
import { percent } from './kind-words.ts';
import { VERDICT_EMOJI } from './verdict-word.ts';

export interface IncidentRowOptions {
  /** The watch's message that contains the row; null for a row elsewhere. */
  readonly messageId: string | null;
  /** Why it's listed, or its environment. */
  readonly beside: Markup | null;
  /** By a mention, which in a new message would notify them. */
  readonly namesPeople: boolean;
  /** Null where people have already read it. */
  readonly cause: ExplainedCause | null;
  /** One of several: a line. */
  readonly isTerse: boolean;
  /** The message's header says what it is. */
  readonly isHeaded?: boolean;
}

/** A row of several is a line with a menu. */
export function incidentRow(incident: IncidentNow, options: IncidentRowOptions): KnownBlock[] {
  const { messageId, isTerse } = options;
  const row = section(incidentText(incident, options));
  if (!isTerse) return [row, incidentActions(incident, messageId)];
  const target = { messageId, incidentId: incident.id };
  return [{ ...row, block_id: writeActionTarget(target), accessory: incidentMenu(incident, messageId) }];
}

/** What it is, how bad it is, what changed before, what to do, and who has it. */
export function incidentText(incident: IncidentNow, options: Omit<IncidentRowOptions, 'messageId'>): Markup {
  const { beside, cause, isTerse, namesPeople, isHeaded = false } = options;
  const isWhole = !isTerse && incident.state.is === 'firing';
  return joined(
    [
      ...headLines(incident, beside, isTerse ? 'one line' : isHeaded ? 'headed' : 'whole'),
      ...(isWhole ? hintsLine(incident) : []),
      ...(isWhole && cause !== null ? nextLine(cause) : []),
      ...stateLine(incident, namesPeople),
      ...peopleLine(incident, namesPeople),
    ],
    '\n',
  );
}

function headLines(incident: IncidentNow, beside: Markup | null, as: 'one line' | 'headed' | 'whole'): Markup[] {
  const title = mrkdwn`${rowEmoji(incident)} ${incidentTitle(incident)}`;
  const reason = beside === null ? [] : [beside];
  const number = numberOf(incident);
  switch (as) {
    case 'one line':
      return [joined([title, ...briefFacts(incident), ...reason, number], ' · ')];
    case 'headed':
      return [joined([factsLine(incident), ...reason, number], ' · ')];
    case 'whole':
      return [joined([title, ...reason, number], ' · '), factsLine(incident)];
  }
}

export function rowEmoji(incident: IncidentNow): string {
  if (incident.state.is === 'resolved') return '✅';
  return incident.state.is === 'firing' ? VERDICT_EMOJI[shownVerdict(incident)] : '⚪';
}

/** Commands refer to it by this. */
export function numberOf({ id }: Pick<IncidentNow, 'id'>): Markup {
  return mrkdwn`#${String(id)}`;
}

function hintsLine(incident: IncidentNow): Markup[] {
  const hints = [...changeHint(incident), ...labelHint(incident)];
  return hints.length === 0 ? [] : [joined(hints, ' · ')];
}

function labelHint({ shared }: Pick<IncidentNow, 'shared'>): Markup[] {
  if (shared === null) return [];
  const { label, events, of, usually, isOfNewest } = shared;
  const count =
    events === of && !isOfNewest ? mrkdwn`all of them` : mrkdwn`${events} of ${isOfNewest ? 'the last ' : ''}${of}`;
  const kind = label.kind === 'context' ? '' : `${label.kind} `;
  return [mrkdwn`🏷️ ${count} ${kind}${code(maskedId(label.value))} (${percent(usually, 1)} of traffic)`];
}

/** None where no change may explain it. */
function changeHint({ changedBefore, startedAt }: Pick<IncidentNow, 'changedBefore' | 'startedAt'>): Markup[] {
  if (changedBefore === null) return [];
  const { what, moreDeploys } = changedBefore;
  const more = moreDeploys === 0 ? mrkdwn`` : mrkdwn` (and ${plural(moreDeploys, 'more deploy')} before)`;
  return [mrkdwn`${changedWords(what)} ${whenWords(changedBefore, startedAt)}${more}`];
}

function whenWords({ at, after }: ChangeBefore, startedAt: Date): Markup {
  if (at > startedAt) return mrkdwn`between ${time(after)} and ${time(at)}`;
  const before = (moment: Date) => describeDuration(startedAt.getTime() - moment.getTime());
  const [least, most] = [before(at), before(after ?? at)];
  return mrkdwn`${least === most ? least : `${least} to ${most}`} before`;
}
