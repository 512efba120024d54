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
  const [first, ...others] = muted;
  if (first === undefined) return mrkdwn``;
  if (others.length === 0) return mrkdwn`watch ${first.watch.number} until ${muteEnd(first.mute)}`;
  const numbers = joined(
    muted.map(({ watch }) => mrkdwn`${watch.number}`),
    ', ',
  );
  return mrkdwn`watches ${numbers} until ${muteEnd(first.mute)}`;
}
