import type { Changed } from '../changes/change.ts';
import { isAmong } from '../fold.ts';
import type { WatchFilter } from '../watches/watch.ts';

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
