import type { KnownBlock } from '@slack/types';
import type { GroupNow } from '../../domain/delivery.ts';
import { section } from './blocks.ts';
import { groupActions } from './group-menu.ts';
import { exampleLine, groupCause, groupCount, groupFacts, groupSentence, groupTitle } from './group-words.ts';
import { stateLines, stateWords } from './state-words.ts';
import { joined, type Markup, mrkdwn } from './text.ts';
import { time } from './times.ts';
import { trendBars, trendWord } from './trend.ts';
import { VERDICT_EMOJI } from './verdict-word.ts';

export interface RowOptions {
  /** The message in which the row stands; its menu names it. */
  readonly deliveryId: string;
  /** What brings the row here, said beside its title. */
  readonly reason: Markup | null;
  /** Says by a mention who did something. In a new message that would notify them. */
  readonly namesPeople: boolean;
  /** Leaves out what one can do without, where room is scarce. */
  readonly isTerse: boolean;
}

/** An episode of a group as it stands now: what failed, why, how much, an example, what people made of it, and what one can do. */
export function episodeRow(now: GroupNow, options: RowOptions): KnownBlock[] {
  const lines = now.phase.phase === 'recovered' ? recoveredLines(now, options) : failingLines(now, options);
  return [section(joined(lines, '\n')), groupActions(now, options.deliveryId)];
}

function failingLines(now: GroupNow, { reason, isTerse, namesPeople }: RowOptions): Markup[] {
  const { tally, share, trend } = now;
  const curve = trendWord(trend) !== '' && !isTerse ? [mrkdwn`${trendBars(trend)} ${trendWord(trend)}`] : [];
  return [
    titleLine(mrkdwn`${VERDICT_EMOJI[tally.verdict]} ${groupTitle(tally)}`, reason),
    groupCause(tally),
    joined([...groupFacts(tally, share), ...curve], ' · '),
    ...(isTerse ? [] : [exampleLine(tally.example)]),
    ...stateLines(now, namesPeople),
  ];
}

/** Nobody has to do anything about it any more: it takes less room. */
function recoveredLines(now: GroupNow, { reason, namesPeople }: RowOptions): Markup[] {
  const { tally } = now;
  return [
    titleLine(mrkdwn`✅ ${groupTitle(tally)}`, reason),
    joined(stateLines(now, namesPeople), ' · '),
    mrkdwn`${groupCount(tally)}, the last at ${time(tally.lastSeen)} · ${groupCause(tally)}`,
  ];
}

function titleLine(title: Markup, reason: Markup | null): Markup {
  return reason === null ? title : mrkdwn`${title} · ${reason}`;
}

/** The same in a sentence without its full stop, for the spoken text. */
export function episodeSentence(now: GroupNow, reason: Markup | null): Markup {
  const course = now.phase.phase === 'failing' && trendWord(now.trend) !== '' ? [trendWord(now.trend)] : [];
  return joined([groupSentence(now.tally), ...(reason === null ? [] : [reason]), ...course, ...stateWords(now)], ', ');
}
