import { addMilliseconds, subMilliseconds } from 'date-fns';
import { z } from 'zod';
import type { IncidentNow } from '../incidents/incident.ts';
import { incidentsInOrder } from '../incidents/incidents-now.ts';
import { openRows } from '../incidents/lists.ts';
import { callAddress } from '../lib/call-address.ts';
import type { Loop } from '../lib/loop.ts';
import { storableText, stored } from '../lib/text/shown-id.ts';
import { MINUTE_MS, SECOND_MS } from '../lib/time/durations.ts';
import { idsIn } from '../outbox/messages.ts';
import { type Ctx, type Db, jsonOf } from '../store/db.ts';
import { getValue, putValue } from '../store/kv.ts';
import { canBeSingle } from './decide.ts';

export type IncidentWords = { summary: string; nextStep: string };

interface AlertmanagerCtx extends Ctx {
  alertmanager: { url: string; token: string | null; environments: readonly string[] };
  wordsOf: (incident: IncidentNow) => IncidentWords;
}

export const EVERY_MS = MINUTE_MS;
/** Alertmanager resolves an alert that isn't repeated for this long. */
const EXPIRES_AFTER_MS = 5 * MINUTE_MS;
const MOST_SENT = 500;

type PostableAlert = ReturnType<typeof alertOf>;

/** Returns Alertmanager's `postableAlert` (its OpenAPI v2). */
function alertOf(incident: IncidentNow, words: IncidentWords, message: string | undefined, endsAt: Date) {
  const { id, environment, provider, channel, critical, acknowledged, startedAt } = incident;
  return {
    labels: {
      alertname: 'NotifIncident',
      environment,
      incident: `${id}`,
      channel,
      provider: provider ?? 'none',
      critical: `${critical}`,
      acknowledged: `${acknowledged !== null}`,
    },
    annotations: { summary: words.summary, next_step: words.nextStep, message },
    startsAt: startedAt.toISOString(),
    endsAt: endsAt.toISOString(),
  };
}

export function createAlertmanagerLoop(ctx: AlertmanagerCtx): Loop['run'] {
  const { db, now, logger, alertmanager, wordsOf } = ctx;
  const { url, token, environments } = alertmanager;
  const headers = { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) };
  let sent: readonly PostableAlert[] = [];
  return async (signal) => {
    const rows = (await openRows(db, environments, now())).filter(({ isTest }) => !isTest);
    const links = await newestLinks(db, rows);
    const alerted = rows.filter((incident) => !canBeSingle(incident) || links.has(incident.id));
    const incidents = await incidentsInOrder(db, alerted.slice(0, MOST_SENT), now());
    const expiresAt = addMilliseconds(now(), EXPIRES_AFTER_MS);
    const open = incidents.map((incident) => alertOf(incident, wordsOf(incident), links.get(incident.id), expiresAt));
    const keys = new Set(open.map(keyOf));
    const ended = sent.filter((alert) => !keys.has(keyOf(alert)));
    const endsAt = subMilliseconds(now(), SECOND_MS).toISOString();
    const alerts = [...open, ...ended.map((alert) => ({ ...alert, endsAt }))];
    const request = { method: 'POST', headers, body: jsonOf(alerts), stopping: signal };
    const why = alerts.length === 0 ? null : await callAddress(`${url}/api/v2/alerts`, request);
    if (signal.aborted) return;
    if (why === null) sent = open;
    else logger.warn({ why }, "Alertmanager didn't take the open incidents");
    await noteOutcome(db, why, now());
  };
}

const keyOf = ({ labels }: PostableAlert) => jsonOf(labels);

const KEY = 'alertmanager';
const LastOutcome = z.object({ trouble: z.object({ why: z.string(), since: z.coerce.date() }).nullable() });

async function noteOutcome(db: Db, why: string | null, now: Date) {
  const before = await alertmanagerTrouble(db);
  if (why === (before?.why ?? null)) return;
  const trouble = why === null ? null : { why: storableText(why), since: before?.since ?? now };
  await putValue(db, KEY, stored({ trouble }));
}

export async function alertmanagerTrouble(db: Db) {
  return (await getValue(db, KEY, LastOutcome))?.trouble ?? null;
}

const LinkRow = z.object({ id: z.coerce.number(), channel: z.string(), ts: z.string() });

async function newestLinks(db: Db, incidents: readonly { id: number }[]) {
  const rows = await db.rows(LinkRow, NEWEST_MESSAGES, [jsonOf(incidents.map(({ id }) => id))]);
  return new Map(rows.map(({ id, channel, ts }) => [id, messageLink(channel, ts)]));
}

export function messageLink(channel: string, ts: string): `https://${string}` {
  return `https://slack.com/archives/${channel}/p${ts.replace('.', '')}`;
}

const NEWEST_MESSAGES = `
  SELECT DISTINCT ON (a.incident_id) a.incident_id AS id, w.channel, m.ts
  FROM alerts a JOIN messages m ON m.id = a.message_id JOIN watches w ON w.id = m.watch_id
  WHERE a.incident_id IN ${idsIn('$1')} AND m.ts IS NOT NULL AND m.thread_of IS NULL AND a.reason <> 'single'
  ORDER BY a.incident_id, m.posted_at DESC`;
