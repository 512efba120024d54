import { addMilliseconds, min, subMilliseconds } from 'date-fns';
import { inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { canBeSingle } from '../incidents/badness.ts';
import type { IncidentNow } from '../incidents/incident.ts';
import { type IncidentWithOutbreak, incidentsWithIds } from '../incidents/incident-rows.ts';
import { incidentsInOrder } from '../incidents/incidents-now.ts';
import { openRows } from '../incidents/open-incidents.ts';
import type { Loop } from '../lib/loop.ts';
import { storableText, stored } from '../lib/text/shown-id.ts';
import { MINUTE_MS, SECOND_MS } from '../lib/time/durations.ts';
import { messageLink } from '../lib/workspace.ts';
import { StoredTime } from '../store/columns.ts';
import { type Ctx, type Db, idList, jsonOf } from '../store/db.ts';
import { forgetValue, getValue, putValue } from '../store/kv.ts';
import { mayCover } from '../watches/covers.ts';
import { runningMutes, type WatchMute, watchHold } from '../watches/mutes.ts';
import type { Watch } from '../watches/settings.ts';
import { watchesIn } from '../watches/watches.ts';
import { alertFinder } from './alert-rows.ts';
import { type HeldAlert, muteOf } from './holds.ts';
import { type AlertmanagerSettings, type PostableAlert, sendAlerts } from './pager-api.ts';
import { watchAlerts } from './tables.ts';

/** What is said of an incident in an alert. */
export interface IncidentWords {
  summary: string;
  nextStep: string;
}

interface AlertmanagerCtx extends Ctx {
  alertmanager: AlertmanagerSettings;
  wordsOf: (incident: IncidentNow) => IncidentWords;
}

/** How often open incidents are sent. */
export const EVERY_MS = MINUTE_MS;
/** Alertmanager resolves an alert that isn't repeated for this long. */
const EXPIRES_AFTER_MS = 5 * MINUTE_MS;
/** Bounds a request of each minute: so many open incidents page nobody usefully. The critical ones come first, then the newest. */
const MOST_SENT = 500;

const KEY = 'alertmanager';
/** `why` is a clause: "its address answered 503". */
const Trouble = z.object({ why: z.string(), since: StoredTime });
export type PagerTrouble = z.output<typeof Trouble>;
export const LastOutcome = z.object({ trouble: Trouble.nullable() });

/** A silence, or the trouble of few people, reaches the pager only once a watch has alerted to it. */
const needsAlert = ({ incident, outbreak }: IncidentWithOutbreak): boolean =>
  incident.kind === 'silence' || canBeSingle({ ...incident, ...outbreak });

export function createAlertmanagerLoop(ctx: AlertmanagerCtx): Loop['run'] {
  const { db, now, logger, alertmanager, wordsOf } = ctx;
  let sent: readonly PostableAlert[] = [];
  return async (signal) => {
    const rows = (await openRows(db, alertmanager.environments, now())).filter(({ isTest }) => !isTest);
    const ids = rows.map(({ id }) => id);
    const links = await newestLinks(db, ids);
    const foundRows = await incidentsWithIds(db, ids);
    const rowById = new Map(foundRows.map((row) => [row.incident.id, row]));
    const alerted = ids
      .flatMap((id) => rowById.get(id) ?? [])
      .filter((row) => !needsAlert(row) || links.has(row.incident.id))
      .slice(0, MOST_SENT);
    const alertedIncidents = alerted.map(({ incident }) => incident);
    const incidents = await incidentsInOrder(db, alertedIncidents, now());
    const holds = await pagerHolds(db, alerted, now());
    const open = incidents.map((incident) => {
      const [message, hold] = [links.get(incident.id), holds.get(incident.id)];
      return alertOf(incident, { words: wordsOf(incident), message, hold, now: now() });
    });
    const openKeys = new Set(open.map(keyOf));
    const ended = sent.filter((alert) => !openKeys.has(keyOf(alert)));
    // An alert whose end is past is resolved; by a second, also where Alertmanager's clock is a little behind.
    const endsAt = subMilliseconds(now(), SECOND_MS).toISOString();
    const alerts = [...open, ...ended.map((alert) => ({ ...alert, endsAt }))];
    const why = await sendAlerts(alertmanager, alerts, signal);
    if (signal.aborted) return;
    if (why === null) sent = open;
    else logger.warn({ why }, "Alertmanager didn't take the open incidents");
    await noteOutcome(db, why, now());
  };
}

interface AlertDetails {
  words: IncidentWords;
  message: string | undefined;
  hold: PagerHold | undefined;
  now: Date;
}

/** A label that is `undefined` is left out, which for Alertmanager's matchers is an empty one. */
function alertOf(incident: IncidentNow, { words, message, hold, now }: AlertDetails): PostableAlert {
  const { id, environment, provider, channel, critical, acknowledged, beganAt } = incident;
  return {
    labels: {
      alertname: 'NotifIncident',
      environment,
      incident: `${id}`,
      channel,
      provider: provider ?? 'none',
      critical: `${critical}`,
      acknowledged: `${acknowledged !== null}`,
      held: hold,
    },
    annotations: { summary: words.summary, next_step: words.nextStep, message },
    // A service's clock can be ahead, and Alertmanager refuses what ends before it starts.
    startsAt: min([beganAt, now]).toISOString(),
    endsAt: addMilliseconds(now, EXPIRES_AFTER_MS).toISOString(),
  };
}

/** Alertmanager knows an alert by all its labels: one whose label changes is another, and the former has to end. */
const keyOf = ({ labels }: PostableAlert) => jsonOf(labels);

async function noteOutcome(db: Db, why: string | null, now: Date): Promise<void> {
  const before = await alertmanagerTrouble(db);
  if (why === (before?.why ?? null)) return;
  const trouble = why === null ? null : { why: storableText(why), since: before?.since ?? now };
  await putValue(db, KEY, { Value: LastOutcome, value: stored({ trouble }) });
}

export async function alertmanagerTrouble(db: Db): Promise<PagerTrouble | null> {
  return (await getValue(db, KEY, LastOutcome))?.trouble ?? null;
}

/** Without an Alertmanager, the trouble with an earlier one is over. */
export async function forgetAlertmanager(db: Db): Promise<void> {
  await forgetValue(db, KEY);
}

const LinkRow = z.object({ id: z.coerce.number(), channel: z.string(), ts: z.string() });

/** The address of the newest message about each incident. */
async function newestLinks(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await db.rows(
    LinkRow,
    sql`
      SELECT DISTINCT ON (a.incident_id) a.incident_id AS id, m.channel, m.ts
      FROM watch_alerts a
      JOIN slack_messages m ON m.id = a.message_id
      WHERE a.incident_id IN ${idList(ids)}
        AND m.ts IS NOT NULL
        AND NOT a.is_single
      ORDER BY a.incident_id, m.posted_at DESC`,
  );
  return new Map(rows.map(({ id, channel, ts }) => [id, messageLink(channel, ts)]));
}

/** Why nobody is paged for an incident. */
type PagerHold = 'muted' | 'quiet-hours';

/**
 * Returns the incidents that all their watches hold back now: by mutes alone, or some of them by quiet hours. An incident's watches are those that
 * alerted to it; before the first alert, those that may.
 */
async function pagerHolds(
  db: Db,
  rows: readonly IncidentWithOutbreak[],
  now: Date,
): Promise<ReadonlyMap<number, PagerHold>> {
  if (rows.length === 0) return new Map();
  const watches = await watchesIn(db);
  const mutes = await runningMutes(db, now);
  const ids = rows.map(({ incident }) => incident.id);
  const alerts = await db.select().from(watchAlerts).where(inArray(watchAlerts.incidentId, ids));
  const findAlert = alertFinder(alerts);
  const holds = new Map<number, PagerHold>();
  for (const { incident } of rows) {
    const toldBy = (watch: Watch) => findAlert(watch.id, incident.id);
    const alerting = watches.filter((watch) => (toldBy(watch)?.outbreak ?? 0) > 0);
    const concerned =
      alerting.length > 0 ? alerting : watches.filter(({ settings }) => mayCover(settings.filter, incident));
    const reasons = concerned.map((watch) => {
      const mutesOfWatch = mutes.filter(({ watchId }) => watchId === watch.id);
      return pagerHold(watch, mutesOfWatch, { incident, alert: toldBy(watch) }, now);
    });
    if (reasons.length === 0 || reasons.includes(null)) continue;
    holds.set(incident.id, reasons.every((reason) => reason === 'muted') ? 'muted' : 'quiet-hours');
  }
  return holds;
}

/** Why a watch posts nothing of an incident now. Null: it can post. */
function pagerHold(watch: Watch, mutes: readonly WatchMute[], told: HeldAlert, now: Date): PagerHold | null {
  if (muteOf(mutes, told, now) !== null) return 'muted';
  const hold = watchHold(watch, mutes, now);
  return hold && (hold.why === 'mute' ? 'muted' : 'quiet-hours');
}
