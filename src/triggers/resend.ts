import { z } from 'zod';
import { auditedIncident } from '../audit/audit.ts';
import { incidentNumbered } from '../incidents/lists.ts';
import { type Db, jsonOf } from '../store/db.ts';
import { BrokenEvent, type Resendable, type ResendChoices, resentId } from './resend-plan.ts';
import { beginSending, CAN_BE_TRIED_AGAIN, openSendings, type SendCtx, stopSending } from './sending.ts';

export const MOST_BROKEN = 2_000;

/** The broken events with these keys, or the newest up to `upTo`; those sent again before come last. */
export function brokenEvents(db: Db, incidentId: number, upTo: number | null = null, keys?: readonly string[]) {
  const values = [incidentId, jsonOf(CAN_BE_TRIED_AGAIN), upTo, ...(keys ? [jsonOf(keys)] : [])];
  return db.rows(BrokenEvent, brokenBy(keys ? HAVE_KEYS : 'f.incident_id = $1'), values);
}

/** Uses the index of events, as an outage can have very many. They may count under another cause by now. */
const HAVE_KEYS = `f.environment = (SELECT environment FROM incidents WHERE id = $1)
    AND f.event_key = ANY (ARRAY(SELECT jsonb_array_elements_text($4::jsonb)))`;

const brokenBy = (condition: string) => `
  SELECT f.event_key, min(f.event_id) AS event_id, min(f.transaction_id) AS transaction_id, min(f.workflow) AS workflow,
    min(f.subscriber_id) AS subscriber_id, min(f.event_created_at) AS created_at, max(f.occurred_at) AS failed_at,
    EXISTS (SELECT FROM triggers t WHERE t.event_key = f.event_key AND NOT $2::jsonb ? t.state) AS is_sent_again
  FROM failures f WHERE ${condition} AND f.seq <= coalesce($3, f.seq)
  GROUP BY f.event_key ORDER BY is_sent_again, failed_at DESC LIMIT ${MOST_BROKEN}`;

interface ResendCommand {
  intent: string;
  actor: string;
  channel: string | null;
  incidentId: number;
  sending: readonly Resendable[];
  choices: ResendChoices;
}

/** Null if this intent was begun before. Events that somebody else is sending are left to them. */
export async function startResend(ctx: SendCtx, command: ResendCommand) {
  const { intent: id, actor, channel, incidentId, sending, choices } = command;
  const at = ctx.now();
  return ctx.db.transaction(async (tx) => {
    const { environment, channel: through, provider } = await incidentNumbered(tx, incidentId, at);
    const incident = auditedIncident({ number: incidentId, channel: through, provider });
    const change = { action: 'sent-again', notifications: sending.length, incident } as const;
    const [place] = await tx.rows(PlaceRow, PLACE, [incidentId, channel]);
    const entry = { at, actor, channel, environment, incidentId, change, intentId: id };
    const message = place ?? { recipient: actor };
    const rows = sending.map((row) => ({ ...row, id: resentId(incidentId, environment, row.eventKey) }));
    if (!(await beginSending(tx, ctx.seal, { entry, message, state: 'waiting', rows, choices }))) return null;
    return { inThread: place !== undefined };
  });
}

/** A thread in another channel may be hidden from the person. */
const PlaceRow = z.object({ watchId: z.string(), threadOf: z.string() });
const PLACE = `
  SELECT w.id AS watch_id, m.id AS thread_of FROM alerts a JOIN messages m ON m.id = a.message_id JOIN watches w ON w.id = a.watch_id
  WHERE a.incident_id = $1 AND m.state = 'posted' AND w.ended_at IS NULL AND w.channel = $2 ORDER BY a.at DESC LIMIT 1`;

/** False if nothing of this incident is being sent again. */
export async function stopResends(ctx: SendCtx, incidentId: number, actor: string) {
  const open = (await openSendings(ctx.db)).filter((sending) => sending.incidentId === incidentId);
  for (const sending of open) await stopSending(ctx, sending, actor);
  return open.length > 0;
}
