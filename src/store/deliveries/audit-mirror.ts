import { z } from 'zod';
import type { AuditContent } from '../../domain/alerting/delivery.ts';
import { EDIT_LEASE_MS } from '../../domain/alerting/pace.ts';
import type {
  ClaimedMessage,
  DeliveryStore,
  EditRefusal,
  PostedMessage,
} from '../../use-cases/alerting/deliver-messages.ts';
import { EntryRow } from '../changes/audit.ts';
import type { Database, Sql } from '../database/database.ts';
import { LEASE_END, leaseEndOf, leaseIsOver } from './deliveries.ts';
import { noteEditable, noteRefusal } from './edit-refusals.ts';
import { PostedRow } from './edits.ts';
import { EDITS, isPaused, pause } from './slack-pauses.ts';

export interface AuditMirror {
  /**
   * Names the channel that mirrors the trail from now on. Another one takes over what was not posted yet; null ends it. What was
   * recorded while there was none is not mirrored.
   */
  configureMirror(channel: string | null, now: Date): Promise<void>;
  /** Slack's word for why that channel took no message when it was tried last; null where there is none, or it did. */
  mirrorTrouble(): Promise<string | null>;
  /** The entries as messages to that channel: delivered like digests, each once. */
  readonly mirrored: DeliveryStore;
}

/** What is being carried out is not posted yet: this long after it was begun nobody is left to say how it ended. */
const WAIT_FOR_OUTCOME_MS = 5 * 60_000;

const TroubleRow = z.object({ problem: z.string().nullable() });

export function auditMirror(database: Database): AuditMirror {
  return {
    configureMirror: async (channel, now) => {
      if (channel === null) await database.write('DELETE FROM audit_mirror');
      else await database.write(CONFIGURE, [channel, now]);
    },
    mirrorTrouble: async () =>
      (await database.rows(TroubleRow, 'SELECT problem FROM audit_mirror'))[0]?.problem ?? null,
    mirrored: { ...posting(database), ...editing(database) },
  };
}

const CONFIGURE = `
  INSERT INTO audit_mirror (channel, since) VALUES ($1, $2)
  ON CONFLICT (is_only) DO UPDATE SET channel = EXCLUDED.channel, problem = NULL`;

const ClaimedRow = z
  .object({
    id: z.string(),
    channel: z.string(),
    attempt: z.number(),
    begun_at: z.date(),
    unresolved_since: z.date().nullable(),
  })
  .transform(
    ({ begun_at, unresolved_since, ...row }): ClaimedMessage => ({
      ...row,
      kind: 'audit',
      threadTs: null,
      claimedAt: begun_at,
      unresolvedSince: unresolved_since,
    }),
  );

const ContentRow = z.object({ id: z.string(), mirror: z.string() });

type Posting = Omit<DeliveryStore, keyof ReturnType<typeof editing>>;

/** As in deliveries.ts, of entries instead of messages to watches. */
function posting(database: Database): Posting {
  return {
    claimMessage: async (now) => {
      const unheardSince = new Date(now.getTime() - WAIT_FOR_OUTCOME_MS);
      return (await database.rows(ClaimedRow, CLAIM, [now, unheardSince]))[0] ?? null;
    },
    content: (entryId) => contentOf(database, entryId),
    notePosted: (entryId, { ts, fingerprint }, now) =>
      database.withTransaction(async (sql) => {
        await sql.write(POSTED, [entryId, ts, fingerprint, now]);
        await sql.write('UPDATE audit_mirror SET problem = NULL WHERE problem IS NOT NULL');
      }),
    noteNotPosted: (claimed, _reason, retryAt) => wait(database, claimed, retryAt),
    noteRateLimited: (claimed, until) =>
      database.withTransaction(async (sql) => {
        await pause(sql, claimed.channel, until);
        await wait(sql, claimed, until);
      }),
    noteUnresolved: async (claimed, retryAt) => {
      await database.write(UNRESOLVED, [claimed.id, claimed.attempt, retryAt]);
    },
    noteGivenUp: async ({ id, attempt }) => {
      await database.write(GIVEN_UP, [id, attempt]);
    },
    noteShutOut: (claimed, _why, { reason, retryAt }) =>
      database.withTransaction<'tried again'>(async (sql) => {
        await pause(sql, claimed.channel, retryAt);
        await wait(sql, claimed, retryAt);
        await sql.write('UPDATE audit_mirror SET problem = $2 WHERE channel = $1', [claimed.channel, reason]);
        return 'tried again';
      }),
  };
}

const GIVEN_UP = `UPDATE audit_entries SET state = 'gone' WHERE id = $1 AND state = 'posting' AND attempt = $2`;

const CLAIM = `
  UPDATE audit_entries e
  SET state = 'posting', attempt = attempt + 1, begun_at = $1, leased_until = ${LEASE_END},
    unresolved_since = coalesce(unresolved_since, begun_at),
    redraw_at = CASE WHEN coalesce(unresolved_since, begun_at) IS NULL THEN NULL ELSE redraw_at END
  FROM audit_mirror m
  WHERE e.id = (
    SELECT one.id FROM audit_entries one JOIN audit_mirror of ON one.at >= of.since
    WHERE (one.outcome ->> 'is' <> 'begun' OR one.at <= $2)
      AND ((one.state = 'waiting' AND (one.retry_at IS NULL OR one.retry_at <= $1))
        OR (one.state = 'posting' AND ${leaseIsOver('one')}))
      AND NOT EXISTS (SELECT 1 FROM slack_pauses p WHERE p.subject = of.channel AND p.until > $1)
    ORDER BY one.seq LIMIT 1 FOR UPDATE OF one SKIP LOCKED
  )
  RETURNING e.id, m.channel, e.attempt, e.begun_at, e.unresolved_since`;

/** When each entry is to be posted or edited (`due_at`), by what `CLAIM` and `CLAIM_EDIT` ask; $1 is now. */
export const MIRRORING_DUE = `
  SELECT GREATEST($1::timestamptz, p.until,
    CASE one.state WHEN 'waiting' THEN one.retry_at ELSE ${leaseEndOf('one')} END,
    CASE WHEN one.outcome ->> 'is' = 'begun' THEN one.at + interval '${WAIT_FOR_OUTCOME_MS} milliseconds' END) AS due_at
  FROM audit_entries one JOIN audit_mirror of ON one.at >= of.since LEFT JOIN slack_pauses p ON p.subject = of.channel
  WHERE one.state IN ('waiting', 'posting')
  UNION ALL
  SELECT GREATEST($1::timestamptz, p.until, one.redraw_at) AS due_at
  FROM audit_entries one CROSS JOIN audit_mirror LEFT JOIN slack_pauses p ON p.subject = '${EDITS}'
  WHERE one.state = 'posted' AND one.redraw_at IS NOT NULL AND one.frozen_at IS NULL`;

async function contentOf(database: Database, entryId: string): Promise<AuditContent> {
  const one = 'SELECT e.*, m.channel AS mirror FROM audit_entries e CROSS JOIN audit_mirror m WHERE e.id = $1';
  const [address] = await database.rows(ContentRow, one, [entryId]);
  const [entry] = await database.rows(EntryRow, one, [entryId]);
  if (address === undefined || entry === undefined) throw new Error(`there is no entry ${entryId} to be mirrored`);
  return { kind: 'audit', id: address.id, channel: address.mirror, entry };
}

const POSTED = `
  UPDATE audit_entries SET state = 'posted', ts = $2, fingerprint = $3, edit_begun_at = $4, leased_until = NULL
  WHERE id = $1 AND state IN ('waiting', 'posting')`;

async function wait(sql: Pick<Sql, 'write'>, { id, attempt }: ClaimedMessage, retryAt: Date): Promise<void> {
  await sql.write(
    `UPDATE audit_entries SET state = 'waiting', retry_at = $3, begun_at = NULL, leased_until = NULL
     WHERE id = $1 AND state = 'posting' AND attempt = $2`,
    [id, attempt, retryAt],
  );
}

const UNRESOLVED = `
  UPDATE audit_entries SET state = 'waiting', retry_at = $3, begun_at = NULL, leased_until = NULL,
    unresolved_since = coalesce(unresolved_since, begun_at)
  WHERE id = $1 AND state = 'posting' AND attempt = $2`;

/** An entry is edited where its outcome has come to be known after it was posted, which is rare: nothing else changes in one. */
function editing(database: Database) {
  return {
    claimEdit: async (now: Date) => {
      if (await isPaused(database, EDITS, now)) return null;
      const again = new Date(now.getTime() + EDIT_LEASE_MS);
      return (await database.rows(PostedRow, CLAIM_EDIT, [now, again]))[0] ?? null;
    },
    noteEdited: async (message: PostedMessage, { fingerprint }: { readonly fingerprint: string }) => {
      await database.write(EDITED, [message.id, message.claimedAt, fingerprint]);
      if (fingerprint !== message.fingerprint) await noteEditable(database, message.channel);
    },
    noteNotEdited: async ({ id, claimedAt }: PostedMessage, retryAt: Date) => {
      await database.write('UPDATE audit_entries SET redraw_at = $3 WHERE id = $1 AND edit_begun_at = $2', [
        id,
        claimedAt,
        retryAt,
      ]);
    },
    pauseEdits: (until: Date) => pause(database, EDITS, until),
    noteDeleted: async ({ id }: PostedMessage) => {
      await database.write(`UPDATE audit_entries SET state = 'gone', redraw_at = NULL WHERE id = $1`, [id]);
    },
    noteFrozen: (message: PostedMessage, refusal: EditRefusal, now: Date) =>
      database.withTransaction(async (sql) => {
        await noteRefusal(sql, message.channel, refusal, now);
        await sql.write(FREEZE, [message.id, message.claimedAt, now]);
      }),
  };
}

/** The outcome is posted as a new message, which isn't edited: a second one won't follow. */
const FREEZE = `
  UPDATE audit_entries SET state = 'waiting', frozen_at = $3, redraw_at = NULL, begun_at = NULL, unresolved_since = NULL,
    retry_at = NULL
  WHERE id = $1 AND edit_begun_at = $2 AND state = 'posted' AND frozen_at IS NULL`;

/** Nobody says the end of an edit whose process has ended: it is due again then. */
const CLAIM_EDIT = `
  UPDATE audit_entries e SET edit_begun_at = $1, redraw_at = $2, edit_attempt = e.edit_attempt + 1
  FROM audit_mirror m
  WHERE e.id = (
    SELECT id FROM audit_entries WHERE state = 'posted' AND redraw_at <= $1 AND frozen_at IS NULL
    ORDER BY seq LIMIT 1 FOR UPDATE SKIP LOCKED
  )
  RETURNING e.id, m.channel, e.ts, e.fingerprint, e.edit_attempt, e.edit_begun_at`;

/** What came to be known meanwhile is drawn by another edit. */
const EDITED = `
  UPDATE audit_entries SET fingerprint = $3, edit_attempt = 0, redraw_at = CASE WHEN redraw_at <= $2 THEN redraw_at END
  WHERE id = $1 AND edit_begun_at = $2`;
