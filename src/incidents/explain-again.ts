import { subMilliseconds } from 'date-fns';
import { and, eq, gte, ne, or } from 'drizzle-orm';
import type { ExplainCause } from '../causes/explain-cause.ts';
import type { Db } from '../store/db.ts';
import { keysOf, placeOf } from './incident.ts';
import { updateIncident } from './incident-rows.ts';
import { maskCauses } from './mask-causes.ts';
import { SAME_INCIDENT_MS } from './outbreak.ts';
import { incidents } from './tables.ts';

/**
 * Gives incidents that can still be joined the keys of what this version's catalog says of their cause, as this version masks it. Nothing moves:
 * number, people and what was told stay, and open ones that share a key now stay apart.
 */
export async function explainAgain(db: Db, explainCause: ExplainCause, now: Date): Promise<void> {
  const isJoinable = or(ne(incidents.state, 'resolved'), gte(incidents.lastAt, subMilliseconds(now, SAME_INCIDENT_MS)));
  const isExplained = and(eq(incidents.kind, 'failures'), isJoinable);
  const known = await db.select().from(incidents).where(isExplained);
  for (const incident of await maskCauses(db, known)) {
    const { id, key, environment, channel, provider, causeText, causeKey } = incident;
    const cause = { text: causeText, key: causeKey };
    const { headline = null, whose = null } = explainCause({ channel, provider, cause }).entry ?? {};
    const keys = keysOf(environment, { ...placeOf(incident), cause }, { headline, whose });
    if (keys.key === key) continue;
    const fault = { isRecipientFault: whose === 'recipient', isFaultUnknown: whose === 'unknown' };
    await updateIncident(db, id, { key: keys.key, headline, ...fault });
  }
}
