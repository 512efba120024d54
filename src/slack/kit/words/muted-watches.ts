import type { Mute } from '../../../watches/mutes.ts';
import type { Watch } from '../../../watches/settings.ts';
import { muteEnd } from '../incident/incident-words.ts';
import { joined, type Markup, mrkdwn } from '../text.ts';

interface Muted {
  readonly watch: Pick<Watch, 'number'>;
  readonly mute: Pick<Mute, 'from' | 'until'>;
}

/** All of them are muted until the same time. */
export function mutedWatches(muted: readonly Muted[]): Markup {
  const [first] = muted;
  if (first === undefined) return mrkdwn``;
  return mrkdwn`${watchNumbers(muted.map(({ watch }) => watch))} until ${muteEnd(first.mute)}`;
}

export function watchNumbers(watches: readonly Pick<Watch, 'number'>[]): Markup {
  const numbers = watches.map(({ number }) => mrkdwn`${number}`);
  return mrkdwn`${watches.length === 1 ? 'watch' : 'watches'} ${joined(numbers, ', ')}`;
}
