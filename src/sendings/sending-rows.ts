import { and, eq, isNull, ne } from 'drizzle-orm';
import type { Seal } from '../lib/seal.ts';
import type { StorableRow } from '../lib/text/shown-id.ts';
import { enqueueDirect, forgetMessages, redrawOwned } from '../outbox/messages.ts';
import { slackMessages } from '../outbox/tables.ts';
import type { Ctx, Db } from '../store/db.ts';
import type { TriggerService } from './reread-events.ts';
import type { ResendChoices } from './resend-plan.ts';
import { sendings, triggers } from './tables.ts';

export interface SendCtx extends Ctx {
  seal: Seal;
  serviceOf: (environment: string) => TriggerService;
  wakeOutbox: () => Promise<void>;
  newId: () => string;
}

/** A test, or the resending of what an incident broke. */
export interface Sending {
  id: string;
  environment: string;
  actor: string;
  channel: string | null;
  incidentId: number | null;
  choices: ResendChoices | null;
  startedAt: Date;
  refusedInARow: number;
  batchSize: number;
  lastRefusal: string | null;
  stoppedAt: Date | null;
  stoppedBy: string | null;
  endedAt: Date | null;
}

export const SENDING = 'sending';

/** The owner of a sending's messages. */
export const ownerOf = (id: string): string => `${SENDING} ${id}`;

export const sendingIdIn = (owner: string): string => owner.slice(SENDING.length + 1);

export function openSendings(db: Db): Promise<Sending[]> {
  return db.select().from(sendings).where(isNull(sendings.endedAt)).orderBy(sendings.startedAt);
}

export async function sendingOf(db: Db, id: string): Promise<Sending | null> {
  const [sending] = await db.select().from(sendings).where(eq(sendings.id, id));
  return sending ?? null;
}

type Refusals = StorableRow<Pick<Sending, 'refusedInARow' | 'lastRefusal'>> | Pick<Sending, 'batchSize'>;

export async function noteRefusals(db: Db, id: string, refusals: Refusals): Promise<void> {
  await db.update(sendings).set(refusals).where(eq(sendings.id, id));
}

/** Returns false if it had ended. Who follows it in a thread is notified of its end by a direct message. */
export async function noteEnd(tx: Db, { id, actor, channel, environment }: Sending, endedAt: Date): Promise<boolean> {
  const isOpen = and(eq(sendings.id, id), isNull(sendings.endedAt));
  const ended = await tx.update(sendings).set({ endedAt }).where(isOpen).returning({ id: sendings.id });
  if (ended.length === 0) return false;
  const owner = ownerOf(id);
  const isToActor = and(eq(slackMessages.owner, owner), eq(slackMessages.channel, actor));
  // One that Slack refused is tried again.
  const sent = await tx
    .select()
    .from(slackMessages)
    .where(and(isToActor, ne(slackMessages.state, 'gone')))
    .limit(1);
  if (sent.length > 0) return true;
  await enqueueDirect(tx, {
    kind: SENDING,
    owner,
    subject: 'end',
    channel: actor,
    environment,
    initiator: { person: actor, channel },
    createdAt: endedAt,
  });
  return true;
}

export async function forgetSending(db: Db, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.delete(triggers).where(eq(triggers.sending, id));
    await forgetMessages(tx, ownerOf(id));
    await tx.delete(sendings).where(eq(sendings.id, id));
  });
}

export async function stopSending({ db, now }: SendCtx, { id }: Sending, stoppedBy: string | null): Promise<void> {
  const isRunning = and(eq(sendings.id, id), isNull(sendings.stoppedAt));
  await db.update(sendings).set({ stoppedAt: now(), stoppedBy }).where(isRunning);
  await redrawOwned(db, ownerOf(id), now());
}
