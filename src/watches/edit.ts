import { InputError } from '../lib/errors.ts';
import type { FilterMap } from '../lib/input/filters.ts';
import { hashOf } from '../lib/text/hash.ts';
import { allFiltersOf, parseWatchSettings, WATCH_KEYS, type WatchKey } from './parse-settings.ts';
import type { ResolveCtx } from './resolve-settings.ts';
import type { Watch, WatchSettings } from './settings.ts';
import { changeWatch, type EditCtx } from './watches.ts';

/** What means nothing without another setting is changed together with it. */
const DEPENDENT: { [Key in WatchKey]?: readonly WatchKey[] } = { min: ['within', 'rate'], thread: ['all-clear'] };
const dependents = Object.values(DEPENDENT).flat();
const GROUPS = WATCH_KEYS.filter((key) => !dependents.includes(key)).map((key) => {
  return { key, keys: [key, ...(DEPENDENT[key] ?? [])] };
});

/** What a form showed, as a hash by a group's key: the values may not fit into what Slack keeps of a form. */
export type ShownSettings = Readonly<Record<string, string>>;

export interface SettingsEdit {
  shown: ShownSettings;
  settings: WatchSettings;
  /** Settings that others changed, too, and that the person chose to leave as they are stored. */
  leaves: readonly WatchKey[];
}

/** A group of settings that somebody else changed since the form was drawn. */
export interface OtherChange {
  key: WatchKey;
  stored: FilterMap;
  edited: FilterMap;
}

interface MergedEdit {
  filters: FilterMap;
  /** Changes of others that stay: the form left these settings alone, or made the same of them. */
  meanwhile: readonly OtherChange[];
  /** Changes of others to what the form makes something else of. */
  conflicts: readonly OtherChange[];
}

/** The same whatever the order of names. */
function hashed(filters: FilterMap): string {
  const values = Object.entries(filters).map(([key, values]) => [key, values.toSorted()]);
  return hashOf(JSON.stringify(values), 8);
}

function groupsIn(settings: WatchSettings): { key: WatchKey; filters: FilterMap }[] {
  const all = allFiltersOf(settings);
  return GROUPS.map(({ key, keys }) => {
    return { key, filters: Object.fromEntries(keys.map((each) => [each, all[each] ?? []])) };
  });
}

export function shownIn(settings: WatchSettings): ShownSettings {
  return Object.fromEntries(groupsIn(settings).map(({ key, filters }) => [key, hashed(filters)]));
}

/** Takes from the form what was changed in it, and the rest as it is stored by now. */
export function mergeEdit(now: WatchSettings, { shown, settings, leaves }: SettingsEdit): MergedEdit {
  const edits = groupsIn(settings);
  const groups = groupsIn(now).map(({ key, filters: stored }) => {
    const edited = edits.find((edit) => edit.key === key)?.filters ?? stored;
    // A form of the version before doesn't say what it showed.
    const before = shown[key] ?? hashed(stored);
    const isEdited = hashed(edited) !== before && !leaves.includes(key);
    const isOthers = hashed(stored) !== before;
    return { key, stored, edited, isEdited, isOthers, isSame: hashed(edited) === hashed(stored) };
  });
  const others = groups.filter(({ isOthers }) => isOthers);
  return {
    filters: Object.fromEntries(
      groups.flatMap(({ isEdited, ...kept }) => Object.entries(isEdited ? kept.edited : kept.stored)),
    ),
    meanwhile: others.filter(({ isEdited, isSame }) => !isEdited || isSame),
    conflicts: others.filter(({ isEdited, isSame }) => isEdited && !isSame),
  };
}

export class EditConflict extends InputError {
  readonly shown: ShownSettings;
  readonly settings: WatchSettings;
  readonly conflicts: readonly OtherChange[];
  readonly meanwhile: readonly OtherChange[];

  constructor(now: WatchSettings, settings: WatchSettings, { conflicts, meanwhile }: Omit<MergedEdit, 'filters'>) {
    const what = 'Somebody else changed the same settings while this form was open.';
    super('settings', what, null, 'Choose what to keep, and save again.');
    this.shown = shownIn(now);
    this.settings = settings;
    this.conflicts = conflicts;
    this.meanwhile = meanwhile;
  }
}

interface Edited {
  /** Null if it was so already. */
  changed: Watch | null;
  meanwhile: readonly OtherChange[];
}

/** Throws an EditConflict if somebody else changed the same to something else. */
export async function editWatch(
  ctx: EditCtx & Pick<ResolveCtx, 'environments'>,
  watchId: string,
  edit: SettingsEdit & { actor: string },
): Promise<Edited> {
  let meanwhile: readonly OtherChange[] = [];
  const merged = (now: WatchSettings): WatchSettings => {
    const { filters, ...others } = mergeEdit(now, edit);
    const settings = parseWatchSettings(filters, { ...ctx, timeZone: now.timeZone });
    if (others.conflicts.length > 0) throw new EditConflict(now, settings, others);
    meanwhile = others.meanwhile;
    return settings;
  };
  const changed = await changeWatch(ctx, watchId, { settings: merged, actor: edit.actor });
  return { changed, meanwhile };
}
