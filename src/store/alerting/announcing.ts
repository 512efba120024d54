import { z } from 'zod';
import type { Announcing, Plan } from '../../domain/alerting/digest.ts';
import { isAbout, type Watch } from '../../domain/watches/watch.ts';
import type { AnnouncingStore } from '../../use-cases/alerting/announce-failures.ts';
import type { Database, Sql } from '../database/database.ts';
import { rowWith } from '../database/row.ts';
import { settleIncidents } from '../incidents/incident-states.ts';
import { redrawAfterMutes } from '../incidents/mutes.ts';
import { keepHeld } from '../watches/held-back.ts';
import {
  HAS_HELD,
  HAS_MUTES,
  lockPosition,
  NEWEST_SEQ,
  noteLooked,
  type Position,
  passBy,
} from '../watches/positions.ts';
import { ofWholeWatch, settleMutes, type UnsettledMute, unsettledMutes } from '../watches/watch-mutes.ts';
import { WATCH_COLUMNS, WatchRow } from '../watches/watches.ts';
import { candidates } from './candidates.ts';
import { changeNotices } from './change-notices.ts';
import { gapNotices } from './gap-notices.ts';
import type { OutageCandidate } from './one-per-outage.ts';
import { writePlanned } from './planned-messages.ts';

export function announcing(database: Database): AnnouncingStore {
  return {
    settleIncidents: (environment, now) => settleIncidents(database, environment, now),
    redrawAfterMutes: (now) => redrawAfterMutes(database, now),
    ...gapNotices(database),
    ...changeNotices(database),
    async announce(environment, plan, now) {
      const all = await database.rows(AskedRow, ASKED, [environment]);
      const covers = ({ watch }: AskedRow) => isAbout(watch.settings.filter, environment);
      const others = all.filter((one) => !covers(one)).map(({ watch }) => watch.id);
      if (others.length > 0) await database.withTransaction((sql) => passBy(sql, environment, others));
      const digestIds: string[] = [];
      for (const { watch } of all.filter((one) => one.hasNews && covers(one))) {
        const digestId = await database.withTransaction((sql) => announceTo(sql, watch, environment, plan, now));
        if (digestId !== null) digestIds.push(digestId);
      }
      return digestIds;
    },
  };
}

const AskedRow = WatchRow.and(rowWith({ hasNews: z.boolean() })).transform(({ hasNews, ...watch }) => ({
  watch,
  hasNews,
}));
type AskedRow = z.output<typeof AskedRow>;

/** So many failures elsewhere are recorded before a watch without news looks, so that its next look doesn't have to go far back. */
const MOST_BEHIND = 1_000;

/** Most have nothing after most polls, and knowing that needs no lock. What is recorded meanwhile is looked at after its poll. */
const ASKED = `
  SELECT ${WATCH_COLUMNS},
    coalesce(latest.seq > p.scanned_seq, false) OR coalesce(anywhere.seq > p.scanned_seq + ${MOST_BEHIND}, false) OR ${HAS_MUTES} OR ${HAS_HELD} AS has_news
  FROM watches w JOIN positions p ON p.watch_id = w.id
  CROSS JOIN (SELECT max(seq) AS seq FROM failures WHERE environment = $1) latest
  CROSS JOIN (SELECT ${NEWEST_SEQ} AS seq) anywhere
  WHERE p.environment = $1 AND w.ended_at IS NULL ORDER BY w.created_at, w.id`;

async function announceTo(
  sql: Sql,
  watch: Watch,
  environment: string,
  plan: (announcing: Announcing) => Plan,
  now: Date,
): Promise<string | null> {
  const position = await lockPosition(sql, watch.id, environment);
  if (position === null) return null;
  const mutes = position.has_mutes ? await unsettledMutes(sql, watch.id) : [];
  const announcing = await announcingOf(sql, watch, position, mutes, now);
  const { message, held } = plan(announcing);
  await keepHeld(sql, watch.id, announcing.candidates, held, now);
  const digestId = message === null ? await noteLooked(sql, position) : await writePlanned(sql, position, message, now);
  if (mutes.length > 0) await settleMutes(sql, watch.id, now);
  return digestId;
}

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
