import { NOON } from '../service/event.testing.ts';
import { USUAL_SETTINGS, type Watch } from './settings.ts';

/** Ann's in #oncall, for everything, unless overridden. */
export function aWatch(change: Partial<Watch> = {}): Watch {
  return {
    id: 'watch-1',
    channel: 'C0ONCALL',
    number: 1,
    createdAt: NOON,
    createdBy: 'U0ANN',
    tellsFrom: NOON,
    tellsAfter: 0,
    held: [],
    settings: USUAL_SETTINGS,
    ...change,
  };
}
