import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { liveThread } from '../alerts/thread-incidents.ts';
import { renewVersions } from '../incidents/incident-rows.ts';
import { incidentNumbered } from '../incidents/lists.ts';
import { auditedIncident } from '../incidents/timeline.ts';
import { stored } from '../lib/text/shown-id.ts';
import { Count, type Db, jsonOf, textList } from '../store/db.ts';
import { beginSending } from './begin-sending.ts';
import { BrokenEvent, type Resendable, type ResendChoices } from './resend-plan.ts';
import { openSendings, type SendCtx, stopSending } from './sending-rows.ts';
import { resentId } from './sent-again.ts';
import { REPEATABLE_STATES } from './trigger-states.ts';

/** Twice what is sent at once (MOST_SENT_AGAIN): some of the newest are left out, or were sent before. */
export const MOST_BROKEN = 2_000;

/** Returns events with these keys, or the incident's newest up to failure `upTo`. Those sent again before come last. */
export function brokenEvents(
  db: Db,
  incidentId: number,
  upTo: number | null = null,
  keys?: readonly string[],
): Promise<BrokenEvent[]> {
  // By now, events with these keys may be failures of another incident.
  const isWanted = keys === undefined ? sql`f.incident_id = ${incidentId}` : haveKeys(incidentId, keys);
  const statement = sql`
    SELECT
      f.event_key,
      min(f.event_id) AS event_id,
      min(f.transaction_id) AS transaction_id,
      min(f.workflow) AS workflow,
      min(f.subscriber_id) AS subscriber_id,
      min(f.event_created_at) AS created_at,
      max(f.occurred_at) AS failed_at,
      min(f.topics || f.contexts || f.tags) AS labels,
      t.state AS sent_again,
      (
        SELECT max(again.incident_id)
        FROM failures again
        WHERE again.environment = f.environment
          AND again.event_key = t.sent_as
      ) AS failed_again_in
    FROM failures f
    LEFT JOIN triggers t
      ON t.environment = f.environment
      AND t.event_key = f.event_key
      AND NOT ${jsonOf(REPEATABLE_STATES)}::jsonb ? t.state
    WHERE ${isWanted}
      AND f.seq <= coalesce(${upTo}, f.seq)
    GROUP BY f.environment, f.event_key, t.state, t.sent_as
    ORDER BY t.state IS NOT NULL, failed_at DESC
    LIMIT ${MOST_BROKEN}`;
  return db.rows(BrokenEvent, statement);
}

/** Uses the index of events: an outage can have very many. */
const haveKeys = (incidentId: number, keys: readonly string[]): SQL => sql`
  f.environment = (SELECT environment FROM incidents WHERE id = ${incidentId})
  AND f.event_key = ANY (ARRAY(SELECT jsonb_array_elements_text(${jsonOf(keys)}::jsonb)))`;

const NamedRow = z.object({ id: z.string(), eventKey: z.string(), incidentId: Count });

/** Failed events, each with the incidents that it is part of, by their own or their transaction's IDs. */
export function failedNamed(
  db: Db,
  environment: string,
  ids: readonly string[],
): Promise<readonly z.output<typeof NamedRow>[]> {
  return db.rows(
    NamedRow,
    sql`
      SELECT DISTINCT named.id, f.event_key, f.incident_id
      FROM ${textList(ids)} AS named (id)
      JOIN failures f
        ON f.environment = ${environment}
        AND (f.event_key = lower(named.id) OR f.transaction_id = named.id)
      JOIN incidents i ON i.id = f.incident_id
      WHERE i.verdict_class = 'announced'`,
  );
}

export interface ResendCommand {
  intent: string;
  actor: string;
  channel: string | null;
  incidentId: number;
  toSend: readonly Resendable[];
  choices: ResendChoices;
}

/** Returns null for an intent that was begun before, else how many it sends: somebody else may be sending the others. */
export async function startResend(
  ctx: SendCtx,
  command: ResendCommand,
): Promise<{ inThread: boolean; events: number } | null> {
  const { intent: intentId, actor, channel, incidentId, toSend, choices } = command;
  const at = ctx.now();
  return ctx.db.transaction(async (tx) => {
    const incident = await incidentNumbered(tx, { incidentId, code: null }, at);
    const { environment, outbreak } = incident;
    const change = stored({
      action: 'sent-again',
      notifications: toSend.length,
      incident: auditedIncident(incident),
    });
    const thread = await liveThread(tx, incidentId, channel);
    await renewVersions(tx, environment, [incident.id]);
    const begun = await beginSending(tx, ctx.seal, {
      entry: { at, actor, channel, environment, incidentId, outbreak, change, intentId },
      message: thread === null || channel === null ? { channel: actor } : { channel, threadOf: thread },
      state: 'waiting',
      rows: toSend.map((row) => ({ ...row, id: resentId(environment, row.eventKey) })),
      choices,
    });
    return begun && { inThread: thread !== null, events: begun.length };
  });
}

export async function stopResends(ctx: SendCtx, incidentId: number, actor: string): Promise<boolean> {
  const open = (await openSendings(ctx.db)).filter((sending) => sending.incidentId === incidentId);
  for (const sending of open) await stopSending(ctx, sending, actor);
  return open.length > 0;
}
