import { inArray, sql } from 'drizzle-orm';
import { type NewEntry, recordEntry } from '../audit/audit.ts';
import { storableId } from '../judging/filter.ts';
import { InputError } from '../lib/errors.ts';
import type { Seal } from '../lib/seal.ts';
import { boundedId, maybeBoundedId, type StorableRow } from '../lib/text/shown-id.ts';
import { enqueue, type NewMessage } from '../outbox/messages.ts';
import type { Db } from '../store/db.ts';
import { erasedAmong } from '../store/erased.ts';
import { lockKey } from '../store/kv.ts';
import { recipientOf } from './recipients.ts';
import type { ResendChoices } from './resend-plan.ts';
import { messagesOf, SENDING } from './sending.ts';
import { CAN_BE_TRIED_AGAIN } from './states.ts';
import { sendings, triggers } from './tables.ts';

interface Beginning {
  entry: Omit<NewEntry, 'outcome'> & { intentId: string; environment: string };
  message: Pick<NewMessage, 'channel' | 'threadOf' | 'nextAt'>;
  state: 'waiting' | 'sending';
  rows: readonly { id: string; workflow: string; subscriberId: string; eventKey?: string }[];
  choices?: ResendChoices;
}

/**
 * Returns the rows' transaction IDs, and null if this intent was begun before. An event that was tried before keeps its ID, by which the
 * service knows it. Leaves out events that were sent again, whoever sent them; throws if all were.
 */
export async function beginSending(tx: Db, seal: Seal, beginning: Beginning): Promise<readonly string[] | null> {
  const { entry, message, state, rows, choices = null } = beginning;
  const { intentId: id, environment, actor, channel = null, at, incidentId = null } = entry;
  const erased = await erasedAmong(
    tx,
    rows.map(({ subscriberId }) => storableId(subscriberId)),
    at,
  );
  if (!(await recordEntry(tx, { ...entry, outcome: { is: 'begun' } }))) return null;
  const storedChoices = choices && {
    ...choices,
    workflows: choices.workflows.map(boundedId),
    eventKeys: choices.eventKeys.map(boundedId),
    labels: choices.labels.map(boundedId),
  };
  const sending = { id, environment, actor, channel: maybeBoundedId(channel), incidentId, choices: storedChoices };
  await tx.insert(sendings).values({ ...sending, startedAt: at });
  const initiator = { person: actor, channel };
  const first = { ...message, kind: SENDING, owner: messagesOf(id), subject: 'begin', initiator };
  await enqueue(tx, { ...first, environment, createdAt: at });
  const common = { sending: id, incidentId, state, claimedAt: at };
  type Row = StorableRow<typeof triggers.$inferInsert, 'id' | 'sending' | 'environment'>;
  const values = rows.map(({ subscriberId, ...row }, index): Row => {
    const names = { environment, workflow: boundedId(row.workflow), eventKey: maybeBoundedId(row.eventKey ?? null) };
    const isErased = erased.has(storableId(subscriberId));
    const recipients = isErased ? [] : [recipientOf(subscriberId, index + 1, seal)];
    return { ...row, ...names, ...common, recipients };
  });
  // Of two at once, the later one finds the rows of the other.
  await lockKey(tx, `sendings in ${environment}`);
  const set = { ...common, recipients: sql`excluded.recipients`, sentAs: null, why: null, closedAt: null };
  const setWhere = inArray(triggers.state, [...CAN_BE_TRIED_AGAIN]);
  const target = [triggers.environment, triggers.eventKey];
  const insert = tx.insert(triggers).values(values).onConflictDoUpdate({ target, set, setWhere });
  const begun = await insert.returning({ id: triggers.id });
  if (begun.length > 0) return begun.map((row) => row.id);
  throw new InputError('event', 'Somebody else has just sent this again.', null, 'See who did: /notif audit.');
}
