import type { KnownBlock } from '@slack/types';
import type { ExplainedCause } from '../../../domain/causes/explain-cause.ts';
import { isOverIn } from '../../../domain/incidents/incident.ts';
import type { IncidentNow } from '../../../domain/incidents/incident-now.ts';
import { section } from '../blocks.ts';
import { joined, type Markup, mrkdwn } from '../text.ts';
import { causeLine } from './cause-words.ts';
import { changedBeforeLine } from './changed-before.ts';
import { exampleLine, groupCause } from './group-words.ts';
import { groupActions } from './incident-menu.ts';
import {
  incidentTitle,
  incidentWords,
  latelyLine,
  partsLine,
  relapsedMark,
  shownVerdict,
  sinceLine,
} from './incident-words.ts';
import { lastTimeLine, noteLine } from './last-time.ts';
import { skewLine } from './skew-words.ts';
import { stateLines, stateWords } from './state-words.ts';
import { trendWord } from './trend.ts';
import { VERDICT_EMOJI } from './verdict-word.ts';

export interface RowOptions {
  /** The message in which the row stands; its menu names it. */
  readonly deliveryId: string;
  /** What brings the row here, said beside its title. */
  readonly reason: Markup | null;
  /** Says by a mention who did something. In a new message that would notify them. */
  readonly namesPeople: boolean;
  /** What its error means; null where it isn't said: room is scarce, or the row is not the place where somebody first reads it. */
  readonly cause: ExplainedCause | null;
  /** Leaves out what one can do without, where room is scarce. */
  readonly isTerse: boolean;
  /** Nobody redraws it: it gives times, since ages would go on without it. */
  readonly isSnapshot?: boolean;
  /** Names a transaction and whom it was for; in a person's Home tab it doesn't. */
  readonly hasExample?: boolean;
}

/**
 * An incident as it stands: what fails, why, in which workflows, how it does now, how much it was since it began, an example, what people
 * made of it, and what one can do. The one way in which an incident is drawn, wherever it stands.
 */
export function incidentRow(now: IncidentNow, options: RowOptions): KnownBlock[] {
  return [section(incidentText(now, options)), groupActions(now, options.deliveryId, options.isTerse)];
}

/** The row without its buttons. */
export function incidentText(now: IncidentNow, options: Omit<RowOptions, 'deliveryId'>): Markup {
  return joined(now.state.is === 'resolved' ? resolvedLines(now, options) : openLines(now, options), '\n');
}

function openLines(
  now: IncidentNow,
  { reason, cause, isTerse, namesPeople, isSnapshot = false, hasExample = !isTerse }: Omit<RowOptions, 'deliveryId'>,
): Markup[] {
  const { tally, state } = now;
  const emoji = state.is === 'recovering' ? '⚪' : VERDICT_EMOJI[shownVerdict(now)];
  return [
    titleLine(mrkdwn`${emoji} ${incidentTitle(now)}${relapsedMark(now)}`, now, reason),
    groupCause(tally),
    ...(cause === null || isOverIn(state.is) ? [] : causeLine(cause)),
    ...(isTerse ? [] : partsLine(now)),
    ...(isTerse ? [] : changedBeforeLine(now)),
    ...(isTerse ? [] : skewLine(now)),
    latelyLine(now, isTerse, isSnapshot ? 'seconds' : 'ago'),
    sinceLine(now, isTerse),
    ...(isTerse ? [] : lastTimeLine(now, namesPeople)),
    ...(hasExample ? [exampleLine(tally.example)] : []),
    ...stateLines(now, namesPeople),
    ...(isTerse ? [] : noteLine(now, namesPeople)),
  ];
}

/** Nobody has to do anything about it any longer: it takes less room. */
function resolvedLines(now: IncidentNow, { reason, namesPeople, isTerse }: Omit<RowOptions, 'deliveryId'>): Markup[] {
  return [
    titleLine(mrkdwn`✅ ${incidentTitle(now)}${relapsedMark(now)}`, now, reason),
    joined(stateLines(now, namesPeople), ' · '),
    mrkdwn`${sinceLine(now)} · ${groupCause(now.tally)}`,
    ...(isTerse ? [] : noteLine(now, namesPeople)),
  ];
}

/** The number at its end is what commands name it by. */
function titleLine(title: Markup, { episodeId }: IncidentNow, reason: Markup | null): Markup {
  return joined([title, ...(reason === null ? [] : [reason]), mrkdwn`#${String(episodeId)}`], ' · ');
}

/** The same in a sentence without its full stop, for the spoken text. */
export function incidentSentence(now: IncidentNow, reason: Markup | null): Markup {
  const trend = isOverIn(now.state.is) ? '' : trendWord(now.lately, now.tally.firstSeen);
  const course = trend === '' ? [] : [mrkdwn`${trend}`];
  return joined([incidentWords(now), ...(reason === null ? [] : [reason]), ...course, ...stateWords(now)], ', ');
}
