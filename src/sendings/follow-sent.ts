import { subMilliseconds } from 'date-fns';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { decisiveFailure, deliveriesOf, type JudgedEvent } from '../judging/judge.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { outcomeOf } from '../lookups/outcome.ts';
import { judgedEvents } from '../lookups/transaction.ts';
import { channelName } from '../service/channels.ts';
import { eventKey, type TriggeredEvent } from '../service/event.ts';
import type { Call } from '../service/query.ts';
import { stepsBudget } from '../service/steps.ts';
import { noteState, type TriggerNow } from './note-state.ts';
import { eventsOfSubscribers, type RereadCtx } from './reread-events.ts';
import { unsealed } from './sealed-recipients.ts';
import type { SendCtx, Sending } from './sending-rows.ts';
import { type TriggerRow, triggers } from './tables.ts';
import { finalStateOf } from './trigger-states.ts';

// A trigger that the service has accepted is `sent`, and `sending` without a clear answer. Its event decides on either.
// Without one, `sending` is `waiting` to be sent again, and `unclear` after the last try; `sent` is `no-event`.

/** So long after a trigger was sent, an accepted one without an event has none, and its sending can end. */
export const FOLLOW_MS = 10 * MINUTE_MS;

/** So long after it was sent, a trigger without a clear answer or an event is sent again, with the same transaction ID. */
const UNSEEN_MS = MINUTE_MS;

const MOST_TRIES = 3;

/** Each may cost a request, which the polls and people need, too. The others have their turn by chance. */
const FOLLOWED_AT_ONCE = 120;

const NO_EVENT: NextState = {
  state: 'no-event',
  why: 'usually its workflow has no active steps, or its recipient is empty or an unknown topic',
};

type NextState = Omit<TriggerNow, 'id'>;

export async function followSent(ctx: SendCtx, sending: Sending, call: Call): Promise<void> {
  const { db, seal, now } = ctx;
  const isOpen = and(eq(triggers.sending, sending.id), inArray(triggers.state, ['sending', 'sent']));
  // At random, so that the same ones don't keep the others from being followed.
  const open = await db.select().from(triggers).where(isOpen).orderBy(sql`random()`).limit(FOLLOWED_AT_ONCE);
  if (open.length === 0) return;
  const readCtx = { service: ctx.serviceOf(sending.environment), now, call };
  const subscribers = open.flatMap(({ recipients }) => recipients.map((recipient) => unsealed(recipient, seal)));
  const ids = new Set(open.map(({ id }) => id));
  const events: TriggeredEvent[] = [];
  for await (const listed of eventsOfSubscribers(subscribers, sending.startedAt, readCtx))
    events.push(...listed.filter(({ transactionId }) => ids.has(transactionId)));
  const judged = await judgedEvents(events, readCtx, stepsBudget(FOLLOWED_AT_ONCE));
  const judgedById = new Map(judged.map((each) => [each.event.transactionId, each]));
  const at = now();
  for (const trigger of open) {
    const seen = judgedById.get(trigger.id);
    const next = seen ? stateOf(seen) : await unseenState(readCtx, trigger, { sending, at });
    if (next !== null && next.state !== trigger.state) await noteState(ctx, { id: trigger.id, ...next });
  }
}

function stateOf({ event, judgment }: JudgedEvent): NextState {
  const state = finalStateOf({ event, judgment }) ?? 'sent';
  const next: NextState = { state, why: null, sentAs: eventKey(event) };
  if (state === 'failed') {
    const failure = decisiveFailure(judgment);
    const why = failure ? `${channelName(failure.channel)}: ${failure.cause.text}` : null;
    return { ...next, why, outcome: outcomeOf(event, judgment) };
  }
  if (state !== 'delivered') return next;
  const channels = deliveriesOf(event, judgment).map(({ channel }) => channelName(channel));
  return { ...next, why: [...new Set(channels)].join(', ') };
}

/** Returns null for what stays as it is. */
async function unseenState(
  ctx: RereadCtx,
  { id, state, claimedAt, recipients }: TriggerRow,
  { sending, at }: { sending: Sending; at: Date },
): Promise<NextState | null> {
  if (state === 'sending') {
    // A test's payload isn't stored.
    const canBeSentAgain = sending.stoppedAt === null && sending.incidentId !== null;
    return canBeSentAgain && claimedAt <= subMilliseconds(at, UNSEEN_MS) ? stateAfterTry(recipients) : null;
  }
  const isOverdue = claimedAt <= subMilliseconds(at, FOLLOW_MS);
  return isOverdue && !(await hasListed(ctx, id)) ? NO_EVENT : null;
}

function stateAfterTry(recipients: TriggerRow['recipients']): NextState {
  const isLast = recipients.some(({ tries = 0 }) => tries >= MOST_TRIES);
  return isLast ? { state: 'unclear', why: 'no clear answer in three tries' } : { state: 'waiting', why: null };
}

/** True, too, if the service ignores the filter: nobody knows then. */
async function hasListed({ service, call }: RereadCtx, transactionId: string): Promise<boolean> {
  const { items, unreadable, misfits = [] } = await service.listEvents({ transactionId, limit: 1 }, call);
  return items.length + unreadable.length + misfits.length > 0;
}
