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
import type { ResendChoices } from './resend-plan.ts';
import { recipientOf } from './sealed-recipients.ts';
import { ownerOf, SENDING } from './sending-rows.ts';
import { sendings, triggers } from './tables.ts';
import { REPEATABLE_STATES } from './trigger-states.ts';

interface Beginning {
  entry: Omit<NewEntry, 'outcome'> & { intentId: string; environment: string };
  message: Pick<NewMessage, 'channel' | 'threadOf' | 'nextAt'>;
  state: 'waiting' | 'sending';
  /** What is sent to whom, by transaction IDs. With the key of the event that is sent again; none: a test. */
  rows: readonly { id: string; workflow: string; subscriberId: string; eventKey?: string }[];
  choices?: ResendChoices;
}

/**
 * Returns the rows' transaction IDs, and null if this intent was begun before. An event that was tried before keeps its ID, by which the
 * service knows it. Leaves out events that were sent again, whoever sent them; throws if all were.
 */
export async function beginSending(tx: Db, seal: Seal, beginning: Beginning): Promise<readonly string[] | null> {
  const { entry, message, rows, choices = null } = beginning;
  const { intentId: id, environment, actor, channel = null, at, incidentId = null } = entry;
  const subscribers = rows.map(({ subscriberId }) => storableId(subscriberId));
  // From here on, an erasure waits for the end of the transaction, and so finds what is written.
  const erased = await erasedAmong(tx, subscribers, at);
  if (!(await recordEntry(tx, { ...entry, outcome: { is: 'begun' } }))) return null;
  await tx.insert(sendings).values({
    id,
    environment,
    actor,
    channel: maybeBoundedId(channel),
    incidentId,
    choices: choices && boundedChoices(choices),
    startedAt: at,
  });
  await enqueue(tx, {
    ...message,
    kind: SENDING,
    owner: ownerOf(id),
    subject: 'begin',
    initiator: { person: actor, channel },
    environment,
    createdAt: at,
  });
  const begun = await insertTriggers(tx, beginning, { seal, erased });
  if (begun.length > 0) return begun;
  throw new InputError('event', 'Somebody else has just sent this again.', null, 'See who did: /notif audit.');
}

const boundedChoices = (choices: ResendChoices): StorableRow<ResendChoices> => ({
  ...choices,
  workflows: choices.workflows.map(boundedId),
  eventKeys: choices.eventKeys.map(boundedId),
  labels: choices.labels.map(boundedId),
});

type NewTrigger = StorableRow<typeof triggers.$inferInsert, 'id' | 'sending' | 'environment'>;

/** Returns the IDs of those that this sending sends. */
async function insertTriggers(
  tx: Db,
  { entry, state, rows }: Beginning,
  { seal, erased }: { seal: Seal; erased: ReadonlySet<string> },
): Promise<string[]> {
  const { intentId: sending, environment, at: claimedAt, incidentId = null } = entry;
  const ofThisSending = { sending, incidentId, state, claimedAt };
  const values = rows.map(({ id, workflow, subscriberId, eventKey = null }, index): NewTrigger => {
    const isErased = erased.has(storableId(subscriberId));
    return {
      ...ofThisSending,
      id,
      environment,
      workflow: boundedId(workflow),
      eventKey: maybeBoundedId(eventKey),
      recipients: isErased ? [] : [recipientOf(subscriberId, index + 1, seal)],
    };
  });
  // Of two at once, the later one finds the rows of the other.
  await lockKey(tx, `sendings in ${environment}`);
  // An event that was refused, left out or unclear before becomes this sending's, under its old ID. Any other keeps its row and isn't returned.
  const begun = await tx
    .insert(triggers)
    .values(values)
    .onConflictDoUpdate({
      target: [triggers.environment, triggers.eventKey],
      set: {
        ...ofThisSending,
        recipients: sql`excluded.recipients`,
        sentAs: null,
        why: null,
        closedAt: null,
      },
      setWhere: inArray(triggers.state, [...REPEATABLE_STATES]),
    })
    .returning({ id: triggers.id });
  return begun.map(({ id }) => id);
}
