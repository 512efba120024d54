import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Act, record } from '../audit/audit.ts';
import { boundedId, maybeBoundedId, type Storable, type StorableJson, stored } from '../lib/text/shown-id.ts';
import { StoredTime } from '../store/columns.ts';
import { Count, type Db, idList } from '../store/db.ts';
import type { Note } from './incident.ts';
import { renewVersions } from './incident-rows.ts';
import type { IncidentRow } from './tables.ts';

/** What a person does about an incident. */
export const IncidentAct = z.discriminatedUnion('action', [
  z.object({ action: z.enum(['acknowledged', 'unacknowledged', 'resolved', 'reopened', 'followed', 'unfollowed']) }),
  z.object({ action: z.literal('assigned'), to: z.string() }),
  z.object({ action: z.literal('noted'), text: z.string() }),
  z.object({ action: z.literal('incident-muted'), from: StoredTime.optional(), until: StoredTime }),
  z.object({ action: z.literal('incident-unmuted') }),
  z.object({ action: z.literal('sent-again'), notifications: z.number() }),
]);
export type IncidentAct = z.output<typeof IncidentAct>;

/** An incident as entries of people's acts name it. */
export interface AuditedIncident {
  number: number;
  channel: Storable;
  provider: Storable | null;
}

/** An incident that something is done to. */
export type ActedOn = Pick<IncidentRow, 'id' | 'environment' | 'channel' | 'provider' | 'outbreak'>;

export const auditedIncident = ({
  id,
  channel,
  provider,
}: Pick<ActedOn, 'id' | 'channel' | 'provider'>): AuditedIncident => ({
  number: id,
  channel: boundedId(channel),
  provider: maybeBoundedId(provider),
});

/** Writes what a person did to an incident, and how it changed. */
export async function recordAct(
  tx: Db,
  incident: ActedOn,
  { channel, ...act }: Act & { channel: string | null },
  change: StorableJson<IncidentAct>,
): Promise<void> {
  const { id: incidentId, environment, outbreak } = incident;
  await renewVersions(tx, environment, [incidentId]);
  const acted = stored({ ...change, incident: auditedIncident(incident) });
  await record(tx, act, { channel, environment, incidentId, outbreak, change: acted });
}

const FormerRow = z.object({ incidentId: Count, actor: z.string(), at: z.date() });

/** Who acknowledged the outbreak before the newest, by the incident's number. */
export async function formerlyAcknowledged(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Pick<Note, 'actor' | 'at'>>> {
  const rows = await db.rows(
    FormerRow,
    sql`
      SELECT o.incident_id, o.acknowledged_by AS actor, o.acknowledged_at AS at
      FROM incidents i
      JOIN outbreaks o ON o.incident_id = i.id AND o.number = i.outbreak - 1
      WHERE i.id IN ${idList(ids)}
        AND o.acknowledged_by IS NOT NULL
        AND o.acknowledged_at IS NOT NULL`,
  );
  return new Map(rows.map(({ incidentId, actor, at }) => [incidentId, { actor, at }]));
}
