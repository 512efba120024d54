import type { FilterMap } from '../../domain/input/filters.ts';
import type { WatchSettings } from '../../domain/watches/watch.ts';
import { filtersOf, WATCH_KEYS } from '../../domain/watches/watch-settings.ts';
import type { ZoneSource } from '../../use-cases/watches/make-watch.ts';
import { parseValue, writeValue } from '../blocks/button-value.ts';

/** Each name as it is, since a command would change some of them. */
export function writeSettings(settings: WatchSettings): string {
  return writeValue(pairsOf(settings));
}

export function parseSettings(value: string): FilterMap | null {
  const parts = parseValue(value);
  return parts === null ? null : filtersIn(parts);
}

export interface WatchToCreate {
  readonly filters: FilterMap;
  readonly zoneFrom: ZoneSource;
}

const ZONE_SOURCES: readonly ZoneSource[] = ['said', 'channel', 'person', 'nowhere'];

/** Of a watch that somebody has to confirm. */
export function writeToCreate(settings: WatchSettings, zoneFrom: ZoneSource): string {
  return writeValue([zoneFrom, ...pairsOf(settings)]);
}

export function parseToCreate(value: string): WatchToCreate | null {
  const [first, ...parts] = parseValue(value) ?? [];
  const zoneFrom = ZONE_SOURCES.find((one) => one === first);
  const filters = filtersIn(parts);
  return zoneFrom === undefined || filters === null ? null : { filters, zoneFrom };
}

function pairsOf(settings: WatchSettings): string[] {
  return Object.entries(filtersOf(settings)).flatMap(([key, values]) => values.flatMap((value) => [key, value]));
}

function filtersIn(parts: readonly string[]): FilterMap | null {
  if (parts.length === 0 || parts.length % 2 === 1) return null;
  const pairs = parts.flatMap((key, index) => (index % 2 === 0 ? [{ key, value: parts[index + 1] ?? '' }] : []));
  if (pairs.some(({ key }) => WATCH_KEYS.every((known) => known !== key))) return null;
  const valuesOf = (wanted: string) => pairs.flatMap(({ key, value }) => (key === wanted ? [value] : []));
  return Object.fromEntries(
    WATCH_KEYS.map((key) => [key, valuesOf(key)]).filter(([, values = []]) => values.length > 0),
  );
}
