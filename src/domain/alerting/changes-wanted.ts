import type { Changed } from '../changes/change.ts';
import { isAmong } from '../fold.ts';
import type { WatchFilter } from '../watches/watch.ts';

/** Returns whether a watch with `changes:on` covers a change, by channel and provider or by workflow. A deploy matches every watch. */
export function wantsChange(filter: WatchFilter, what: Changed): boolean {
  switch (what.kind) {
    case 'deploy':
      return true;
    case 'integration':
      return isAmong([what.channel], filter.channels) && isAmong([what.provider], filter.providers);
    case 'workflow':
      return isAmong([what.identifier, what.name], filter.workflows);
  }
}
