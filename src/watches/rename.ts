import { sql } from 'drizzle-orm';
import { BY_ITSELF } from '../audit/audit.ts';
import type { Db } from '../store/db.ts';
import { replaceChannelEnvironment } from './channel-environment.ts';
import { isReadable, type Watch, type WatchSettings } from './settings.ts';
import { recordOnWatch, updateWatch, watchesIn } from './watches.ts';

export function settingsAfterRename(settings: WatchSettings, from: string, to: string): WatchSettings {
  const environments = settings.filter.environments.map((name) => (name === from ? to : name));
  return { ...settings, filter: { ...settings.filter, environments: [...new Set(environments)] } };
}

/** Returns the watches that name the environment, with its new name. */
export async function renameInWatches(tx: Db, from: string, to: string, now: Date): Promise<readonly Watch[]> {
  // `changes_to` has the newest change that was told by environment.
  await tx.write(sql`
    UPDATE watches
    SET changes_to = changes_to - ${from}::text || jsonb_build_object(${to}::text, changes_to -> ${from}::text)
    WHERE changes_to ? ${from}::text`);
  await replaceChannelEnvironment(tx, from, to);
  const naming = (await watchesIn(tx)).filter((watch) => {
    return isReadable(watch) && watch.settings.filter.environments.includes(from);
  });
  const renamed = naming.map((watch) => ({ ...watch, settings: settingsAfterRename(watch.settings, from, to) }));
  for (const watch of renamed) {
    await updateWatch(tx, watch.id, { settings: watch.settings });
    await recordOnWatch(tx, watch, { actor: BY_ITSELF, now }, { action: 'watch-changed' });
  }
  return renamed;
}
