import type { Mute } from '../../../domain/incidents/episode.ts';
import type { Watch } from '../../../domain/watches/watch.ts';
import { muteEnd } from '../incident/state-words.ts';
import { joined, type Markup, mrkdwn } from '../text.ts';

interface Muted {
  readonly watch: Pick<Watch, 'number'>;
  readonly mute: Pick<Mute, 'from' | 'until'>;
}

/** 'watch 2 until 14:00' or, for several watches muted until the same time, 'watches 1, 2 until 14:00'. */
export function mutedWatches(muted: readonly Muted[]): Markup {
  const [first] = muted;
  if (first === undefined) return mrkdwn``;
  return mrkdwn`${watchNumbers(muted.map(({ watch }) => watch))} until ${muteEnd(first.mute)}`;
}

/** 'watch 2' or, for several, 'watches 1, 2'. */
export function watchNumbers(watches: readonly Pick<Watch, 'number'>[]): Markup {
  const numbers = watches.map(({ number }) => mrkdwn`${number}`);
  return mrkdwn`${watches.length === 1 ? 'watch' : 'watches'} ${joined(numbers, ', ')}`;
}
