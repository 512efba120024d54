import { addMinutes } from 'date-fns';
import type { ChangeOutcome } from '../audit/tables.ts';
import { noteDeleted } from '../changes/workflows.ts';
import { lockEnvironment } from '../coverage/environment-lock.ts';
import { boundedId, stored } from '../lib/text/shown-id.ts';
import { postOwnedAtOnce } from '../outbox/messages.ts';
import { PERSON } from '../service/query.ts';
import type { TriggerItem } from '../service/trigger.ts';
import { beginSending } from './begin-sending.ts';
import { NOT_FOUND, noteState, statesAfter, type TriggerNow } from './note-state.ts';
import type { TriggerPlan } from './plan.ts';
import { forgetSending, ownerOf, type SendCtx } from './sending-rows.ts';
import { resentId } from './sent-again.ts';
import type { TriggerState } from './trigger-states.ts';
import { attemptWrite, outcomeInTrail, settle } from './try-write.ts';

export interface TriggerCommand extends TriggerPlan {
  intent: string;
  actor: string;
  channel: string | null;
  /** The event that is sent again; null: a test. */
  eventKey: string | null;
}

/** Returns null for an intent that was sent before. Throws only if surely nothing was sent. */
export async function sendTrigger(ctx: SendCtx, command: TriggerCommand): Promise<TriggerNow[] | null> {
  const { db, logger } = ctx;
  const { intent, environment, workflow } = command;
  const items = await begin(ctx, command);
  if (items === null) return null;
  const service = ctx.serviceOf(environment);
  const outcome = await attemptWrite(() => service.triggerEvents(items, { idempotencyKey: intent }, PERSON));
  if (outcome.is === 'refused') {
    await settle(ctx, intent, outcomeInTrail(outcome), () => forgetSending(db, intent));
    throw outcome.error;
  }
  if (outcome.is === 'unknown') {
    const fields = { intent, environment, events: command.events.length, err: outcome.error };
    logger.warn(fields, 'A trigger may or may not have gone through');
  }
  const results = outcome.is === 'done' ? outcome.result : [];
  const states = statesAfter(items, results);
  await settle(ctx, intent, outcomeOf(states), async () => {
    for (const state of states) await noteState(ctx, state);
    if (results.some(({ errors }) => errors.includes(NOT_FOUND))) await noteGone(ctx, environment, workflow);
    await postOwnedAtOnce(db, ownerOf(intent));
    await ctx.wakeOutbox();
  });
  return states;
}

/** Stores what is to be sent, before it is: null if it was stored before. */
async function begin(ctx: SendCtx, command: TriggerCommand): Promise<TriggerItem[] | null> {
  const { db, seal, newId } = ctx;
  const { intent: intentId, actor, channel, environment, workflow, events, options, eventKey } = command;
  const at = ctx.now();
  const change = stored({ action: 'trigger', workflow: boundedId(workflow), recipients: events.length });
  const rows = events.map(({ subscriberId }) => {
    if (eventKey === null) return { id: newId(), workflow, subscriberId };
    return { id: resentId(environment, eventKey), workflow, subscriberId, eventKey };
  });
  const begun = await db.transaction((tx) =>
    beginSending(tx, seal, {
      entry: { at, actor, channel, environment, change, intentId },
      // It is posted if no answer comes within a minute.
      message: { channel: actor, nextAt: addMinutes(at, 1) },
      state: 'sending',
      rows,
    }),
  );
  if (begun === null) return null;
  // A test's are new and in order; an event that was tried before keeps its ID.
  const ids = eventKey === null ? rows.map(({ id }) => id) : begun;
  return events.flatMap((event, index) => {
    const transactionId = ids[index];
    return transactionId === undefined ? [] : [{ ...event, workflow, options, transactionId }];
  });
}

/** Returns what the audit trail says of a trigger. */
function outcomeOf(states: readonly TriggerNow[]): ChangeOutcome {
  const count = (wanted: TriggerState) => states.filter(({ state }) => state === wanted).length;
  if (count('sending') > 0) return { is: 'unknown' };
  return { is: 'sent', accepted: count('sent'), refused: count('refused') };
}

async function noteGone({ db, now }: SendCtx, environment: string, workflow: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockEnvironment(tx, environment);
    await noteDeleted(tx, environment, [workflow], now());
  });
}
