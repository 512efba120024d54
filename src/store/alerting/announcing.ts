import type { Announcing, Plan } from '../../domain/alerting/digest.ts';
import { isAbout, type Watch } from '../../domain/watches/watch.ts';
import type { AnnouncingStore } from '../../use-cases/alerting/announce-failures.ts';
import type { Database, Sql } from '../database/database.ts';
import { settleIncidents } from '../incidents/incident-states.ts';
import { redrawAfterMutes } from '../incidents/mutes.ts';
import { dropHeld, keepHeld } from '../watches/held-back.ts';
import { lockPosition, moveOn, noteLooked, type Position } from '../watches/positions.ts';
import { ofWholeWatch, settleMutes, type UnsettledMute, unsettledMutes } from '../watches/watch-mutes.ts';
import { WATCH_COLUMNS, WatchRow } from '../watches/watches.ts';
import { candidates } from './candidates.ts';
import { changeNotices } from './change-notices.ts';
import { gapNotices } from './gap-notices.ts';
import type { OutageCandidate } from './one-per-outage.ts';
import { writePlanned } from './planned-messages.ts';

/** Records what each watch was alerted to, and its messages. */
export function announcing(database: Database): AnnouncingStore {
  return {
    settleIncidents: (environment, now) => settleIncidents(database, environment, now),
    redrawAfterMutes: (now) => database.withTransaction((sql) => redrawAfterMutes(sql, now)),
    ...gapNotices(database),
    ...changeNotices(database),
    async announce(environment, plan, now) {
      const digestIds: string[] = [];
      for (const watch of await database.rows(WatchRow, WATCHES, [environment])) {
        const digestId = await database.withTransaction((sql) => announceTo(sql, watch, environment, plan, now));
        if (digestId !== null) digestIds.push(digestId);
      }
      return digestIds;
    },
  };
}

const WATCHES = `
  SELECT ${WATCH_COLUMNS} FROM watches w JOIN positions p ON p.watch_id = w.id
  WHERE p.environment = $1 AND w.ended_at IS NULL ORDER BY w.created_at, w.id`;

/** Returns the ID of the digest written, if any. A watch that covers other environments only moves its position. */
async function announceTo(
  sql: Sql,
  watch: Watch,
  environment: string,
  plan: (announcing: Announcing) => Plan,
  now: Date,
): Promise<string | null> {
  const position = await lockPosition(sql, watch.id, environment);
  if (position === null) return null;
  if (!isAbout(watch.settings.filter, environment)) {
    await dropHeld(sql, watch.id, environment);
    await moveOn(sql, position);
    return null;
  }
  const mutes = position.has_mutes ? await unsettledMutes(sql, watch.id) : [];
  const announcing = await announcingOf(sql, watch, position, mutes, now);
  const { message, held } = plan(announcing);
  await keepHeld(sql, watch.id, announcing.candidates, held, now);
  const digestId =
    message === null ? await noteLooked(sql, position) : await writePlanned(sql, watch, position, message, now);
  if (mutes.length > 0) await settleMutes(sql, watch.id, now);
  return digestId;
}

/** Skips the candidates if nothing was recorded since the last look and nothing is held. */
async function announcingOf(
  sql: Sql,
  watch: Watch,
  position: Position,
  mutes: readonly UnsettledMute[],
  now: Date,
): Promise<Announcing & { readonly candidates: readonly OutageCandidate[] }> {
  const { environment, scanned_seq: scannedSeq } = position;
  const mayConcern = position.newest_seq > scannedSeq || position.has_held;
  return {
    watch,
    candidates: mayConcern ? await candidates(sql, watch, environment, scannedSeq, mutes, now) : [],
    lastAlertAt: position.last_alert_at,
    mute: ofWholeWatch(mutes),
  };
}
