import type { Db } from '../store/db.ts';
import type { Watch } from '../watches/settings.ts';
import type { Compared, Covered } from './candidates.ts';
import type { Decision } from './decide.ts';
import { putAlerts, updateAlerts } from './put-alerts.ts';
import type { AlertRow } from './tables.ts';

/** Incidents that the watch isn't about any more are looked at again only when they change. */
export async function noteUncovered(
  tx: Db,
  watch: Watch,
  compared: readonly Compared[],
  covered: readonly Covered[],
): Promise<void> {
  const ids = new Set(covered.map(({ incident }) => incident.id));
  const due = compared.flatMap(({ incident, alert }) => (alert !== null && alert.dueAt !== null ? [incident.id] : []));
  const left = due.filter((id) => !ids.has(id));
  await updateAlerts(tx, watch.id, left, { dueAt: null });
}

export async function noteDecisions(
  tx: Db,
  watch: Watch,
  rows: readonly (Covered & { decision: Decision })[],
  now: Date,
): Promise<void> {
  const changed = rows.flatMap(({ alert, decision, incident: { id: incidentId, environment } }) => {
    const found = foundBy(decision, alert, now);
    return isSame(found, alert) ? [] : [{ watchId: watch.id, incidentId, environment, ...found }];
  });
  await putAlerts(tx, changed);
}

const isSame = (found: Found, alert: Found | null): boolean =>
  found.owedSince?.getTime() === alert?.owedSince?.getTime() &&
  found.dueAt?.getTime() === alert?.dueAt?.getTime() &&
  found.heldBy === (alert?.heldBy ?? null);

/** What a pass finds of an incident. */
type Found = Pick<AlertRow, 'owedSince' | 'heldBy' | 'dueAt'>;

/** What is owed by a decision. Only telling clears a debt. */
function foundBy(decision: Decision, alert: AlertRow | null, now: Date): Found {
  const before = { owedSince: alert?.owedSince ?? null, heldBy: alert?.heldBy ?? null };
  switch (decision.is) {
    case 'post':
      return { ...before, owedSince: before.owedSince ?? now, dueAt: null };
    case 'held':
      return { owedSince: before.owedSince ?? now, heldBy: decision.why, dueAt: decision.until };
    case 'line':
      return { ...before, dueAt: null };
    case 'nothing':
      return { ...before, dueAt: decision.dueAt };
  }
}
