import { anEnvironment } from '../lib/environment.testing.ts';
import { parseCommandText } from '../lib/input/filters.ts';
import { NOON } from '../service/event.testing.ts';
import { parseWatchSettings } from './parse-settings.ts';
import { USUAL_SETTINGS, type Watch } from './settings.ts';

export const DEFAULTS = {
  environments: [anEnvironment(), { ...anEnvironment(), name: 'staging', label: 'staging' }],
  timeZone: 'Europe/Berlin',
};

export function settingsTyped(text: string) {
  const { email: _, ...filters } = parseCommandText(text).filters;
  return parseWatchSettings(filters, DEFAULTS);
}

/** Ann's in #oncall, for everything, unless overridden. */
export function aWatch(change: Partial<Watch> = {}): Watch {
  return {
    id: 'watch-1',
    channel: 'C0ONCALL',
    number: 1,
    createdAt: NOON,
    createdBy: 'U0ANN',
    settings: USUAL_SETTINGS,
    editedAt: null,
    endedAt: null,
    summedTo: null,
    refusedAt: null,
    changesTo: null,
    ...change,
  };
}
