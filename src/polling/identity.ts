import { renameInCursors } from '../alerts/cursors.ts';
import { tellRenamed } from '../alerts/renamed.ts';
import { environmentIdOfNewestEvent } from '../changes/integrations.ts';
import { renameSnapshot } from '../changes/snapshots.ts';
import { lockEnvironment } from '../coverage/environment-lock.ts';
import { formerNames, namesakesOf, noteIdentity, renameEnvironment } from '../coverage/environment-names.ts';
import { environmentOf } from '../coverage/environments.ts';
import { hasEvents } from '../coverage/minutes.ts';
import type { EnvironmentRow } from '../coverage/tables.ts';
import { renameKeys } from '../incidents/rename.ts';
import { boundedId, maybeBoundedId } from '../lib/text/shown-id.ts';
import { renameInMessages } from '../outbox/messages.ts';
import type { TriggeredEvent } from '../service/event.ts';
import { ServiceError } from '../service/service-error.ts';
import type { Db } from '../store/db.ts';
import { lockKey } from '../store/kv.ts';
import { isFree } from '../store/replica-locks.ts';
import { renameInWatches } from '../watches/rename.ts';
import type { PollingCtx, Reading } from './reading.ts';

const NAMES = 'names of environments';

/**
 * Coverage belongs to the service's environment, of which Notif only knows a name. A new name goes on with what is stored of its environment under a
 * name that isn't configured any more, as soon as the service shows an event. Throws if another process still reads it by that name.
 */
export async function identified(ctx: PollingCtx, known: EnvironmentRow, signal: AbortSignal): Promise<EnvironmentRow> {
  const { db, environments } = ctx;
  const { environment, serviceEnvironmentId } = known;
  if (serviceEnvironmentId !== null) return known;
  const configured = environments.map(({ name }) => name);
  if ((await formerNames(db, configured)).length === 0 || (await hasEvents(db, environment))) return known;
  const shown = await environmentIdOfNewestEvent(ctx.serviceOf(environment), { who: 'poller', signal });
  if (shown === null) return known;
  await db.transaction(async (tx) => {
    await lockKey(tx, NAMES);
    const former = (await formerNames(tx, configured)).find((row) => row.serviceEnvironmentId === boundedId(shown));
    if (former === undefined) return;
    if (!(await isFree(tx, former.environment))) throw otherEnvironment(environment, former.environment);
    await rename(tx, ctx, { from: former.environment, to: environment });
    ctx.logger.warn({ environment, from: former.environment }, 'Environment goes on under its new name');
  });
  return (await environmentOf(db, environment)) ?? known;
}

/** Nothing is read twice, and nothing is mixed: throws if events are of another environment than before, or of one that has a name. */
export async function refuseOthers(reading: Reading, items: readonly TriggeredEvent[]): Promise<void> {
  const { ctx, environment } = reading;
  const isConfigured = (namesake: string) => ctx.environments.some(({ name }) => name === namesake);
  const ids = new Set(items.flatMap((item) => maybeBoundedId(item.serviceEnvironmentId) ?? []));
  for (const id of ids) {
    if (id === reading.serviceEnvironmentId) continue;
    await ctx.db.transaction(async (tx) => {
      // Two names may be read for the first time at once.
      await lockKey(tx, NAMES);
      const namesakes = await namesakesOf(tx, environment, id);
      const namesake = namesakes.find(isConfigured) ?? namesakes[0] ?? null;
      // A former name gives what it has to this one at the next poll, unless this one has events of its own.
      const isTaken = namesake !== null && (isConfigured(namesake) || !(await hasEvents(tx, environment)));
      if (reading.serviceEnvironmentId !== null || isTaken) throw otherEnvironment(environment, namesake);
      await noteIdentity(tx, environment, id);
    });
    reading.serviceEnvironmentId = id;
  }
}

async function rename(tx: Db, { explainCause, now }: PollingCtx, names: { from: string; to: string }): Promise<void> {
  const { from, to } = names;
  for (const name of [from, to].toSorted()) await lockEnvironment(tx, name);
  await renameKeys(tx, names, explainCause);
  await renameInCursors(tx, from, to);
  await renameSnapshot(tx, from, to);
  await renameInMessages(tx, from, to);
  await renameEnvironment(tx, from, to);
  await tellRenamed(tx, await renameInWatches(tx, from, to, now()), names, now());
}

function otherEnvironment(environment: string, namesake: string | null): ServiceError {
  return new ServiceError(environment, 'listEvents', { kind: 'other-environment', namesake });
}
