import { max } from 'date-fns';
import type { MutedPart } from '../../watches/parse-mute.ts';
import { describePart, type Muted } from '../../watches/set-mutes.ts';
import type { Watch } from '../../watches/settings.ts';
import { code, joined, type Markup, mrkdwn } from './text.ts';
import { time, timeNear } from './times.ts';

type MutedTime = Pick<Muted, 'from' | 'to' | 'isPlanned'>;

export function mutedWords(muted: Muted): Markup {
  const what = joined([mutedPart(muted.target), watchNumbers(muted.watches)], ' in ');
  return mrkdwn`${what} ${mutedTime(muted)}`;
}

/** Null if the whole watch is muted. */
export function mutedPart(part: MutedPart): Markup | null {
  const typed = describePart(part);
  return typed === null ? null : code(typed);
}

/** The time of a mute that an act set at `at`. Acts of versions that couldn't plan mutes have no `from`: theirs began at once. */
export function muteRange(
  { from = new Date(0), until }: { from?: Date | undefined; until: Date },
  at: Date,
): MutedTime {
  return { from: max([from, at]), to: until, isPlanned: from > at };
}

export function mutedTime({ from, to, isPlanned }: MutedTime): Markup {
  return isPlanned ? mrkdwn`from ${time(from)} until ${timeNear(to, from)}` : mrkdwn`until ${time(to)}`;
}

export function watchNumbers(watches: readonly Watch[]): Markup {
  const numbers = watches.map(({ number }) => number);
  return mrkdwn`${watches.length === 1 ? 'watch' : 'watches'} ${joined(numbers, ', ')}`;
}
