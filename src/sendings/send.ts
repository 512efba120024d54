import { addMinutes } from 'date-fns';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { noteDeleted } from '../changes/workflows.ts';
import { lockEnvironment } from '../coverage/environment-lock.ts';
import { orServiceError, ServiceError } from '../lib/errors.ts';
import { boundedId, type StorableRow, storableEcho, stored } from '../lib/text/shown-id.ts';
import type { Outcome } from '../lookups/outcome.ts';
import { postOwnedAtOnce } from '../outbox/messages.ts';
import type { NotificationService } from '../service/operations.ts';
import { PERSON } from '../service/query.ts';
import type { TriggerItem, TriggerResult } from '../service/trigger.ts';
import { beginSending } from './begin-sending.ts';
import { attemptWrite, outcomeInTrail, settle } from './outcome.ts';
import type { TriggerPlan } from './plan.ts';
import { resentId } from './resend-plan.ts';
import { forgetSending, ownerOf, type SendCtx } from './sending.ts';
import { triggers } from './tables.ts';
import { OPEN_STATES, type TriggerState } from './trigger-states.ts';

const NOT_FOUND = 'workflow_not_found';

const REFUSAL_WORDS = new Map(
  Object.entries({
    trigger_not_active: "the workflow isn't active. Have it switched on in the dashboard",
    no_workflow_active_steps_defined: 'no step of the workflow is active. Have one switched on in the dashboard',
    no_workflow_steps_defined: 'the workflow has no steps. Have one added in the dashboard',
    no_tenant_found: "the service doesn't know the tenant. Check it under Advanced",
    invalid_recipients: "the service doesn't accept this subscriber ID",
    [NOT_FOUND]: 'the service has no workflow with this identifier',
    error: 'the service reports an error',
  }),
);

export interface TriggerNow {
  id: string;
  state: TriggerState;
  why: string | null;
  /** The key of the event that the service made of it. */
  sentAs?: string;
  outcome?: Outcome;
}

/** An unknown status is no clear answer. */
export function statesAfter(items: readonly TriggerItem[], results: readonly TriggerResult[]): TriggerNow[] {
  return items.map(({ transactionId: id }, index) => {
    const { status = '', errors = [] } = results[index] ?? {};
    const refusal = REFUSAL_WORDS.get(status);
    const known = errors.flatMap((error) => REFUSAL_WORDS.get(error) ?? []);
    if (refusal !== undefined)
      return { id, state: 'refused', why: known.length > 0 ? known.join('; ') : [refusal, ...errors].join(': ') };
    return { id, state: status === 'processed' ? 'sent' : 'sending', why: null };
  });
}

export interface UnknownRecipients {
  /** A trigger would create these subscribers. */
  unknown: readonly string[];
  /** The service didn't say, which mustn't keep anybody from sending. */
  unchecked: readonly string[];
}

export async function unknownRecipients(
  service: Pick<NotificationService, 'listMessages'>,
  ids: Iterable<string>,
): Promise<UnknownRecipients> {
  const checks = [...new Set(ids)].map(async (subscriberId) => {
    const page = await orServiceError(service.listMessages({ subscriberId, limit: 1 }, PERSON));
    return { subscriberId, isUnknown: page === null, isUnchecked: page instanceof ServiceError };
  });
  const checked = await Promise.all(checks);
  const idsOf = (kind: 'isUnknown' | 'isUnchecked') =>
    checked.flatMap((check) => (check[kind] ? [check.subscriberId] : []));
  return { unknown: idsOf('isUnknown'), unchecked: idsOf('isUnchecked') };
}

export interface TriggerCommand extends TriggerPlan {
  intent: string;
  actor: string;
  channel: string | null;
  /** The event that is sent again; null: a test. */
  eventKey: string | null;
}

/** Returns null for an intent that was sent before. Throws only if surely nothing was sent. */
export async function sendTrigger(ctx: SendCtx, command: TriggerCommand): Promise<TriggerNow[] | null> {
  const { db, logger, newId } = ctx;
  const { intent: intentId, actor, channel, environment, workflow, events, options, eventKey } = command;
  const at = ctx.now();
  const change = stored({ action: 'trigger', workflow: boundedId(workflow), recipients: events.length });
  const rows = events.map(({ subscriberId }) => {
    if (eventKey === null) return { id: newId(), workflow, subscriberId };
    return { id: resentId(environment, eventKey), workflow, subscriberId, eventKey };
  });
  const begun = await db.transaction((tx) =>
    beginSending(tx, ctx.seal, {
      entry: { at, actor, channel, environment, change, intentId },
      // It is posted if no answer comes within a minute.
      message: { channel: actor, nextAt: addMinutes(at, 1) },
      state: 'sending',
      rows,
    }),
  );
  if (begun === null) return null;
  const ids = eventKey === null ? rows.map(({ id }) => id) : begun;
  const items = events.flatMap((event, index) => {
    const transactionId = ids[index];
    return transactionId === undefined ? [] : [{ ...event, workflow, options, transactionId }];
  });
  const outcome = await attemptWrite(() =>
    ctx.serviceOf(environment).triggerEvents(items, { idempotencyKey: intentId }, PERSON),
  );
  if (outcome.is === 'refused') {
    await settle(ctx, intentId, outcomeInTrail(outcome), () => forgetSending(db, intentId));
    throw outcome.error;
  }
  if (outcome.is === 'unknown') {
    const fields = { intent: intentId, environment, events: events.length, err: outcome.error };
    logger.warn(fields, 'A trigger may or may not have gone through');
  }
  const results = outcome.is === 'done' ? outcome.result : [];
  const answers = statesAfter(items, results);
  const count = (state: TriggerState) => answers.filter((answer) => answer.state === state).length;
  const counts = { is: 'sent', accepted: count('sent'), refused: count('refused') } as const;
  await settle(ctx, intentId, count('sending') > 0 ? { is: 'unknown' } : counts, async () => {
    for (const answer of answers) await noteState(ctx, answer);
    if (results.some(({ errors }) => errors.includes(NOT_FOUND))) await noteGone(ctx, environment, workflow);
    await postOwnedAtOnce(db, ownerOf(intentId));
    await ctx.wakeOutbox();
  });
  return answers;
}

async function noteGone({ db, now }: SendCtx, environment: string, workflow: string) {
  await db.transaction(async (tx) => {
    await lockEnvironment(tx, environment);
    await noteDeleted(tx, environment, [workflow], now());
  });
}

const ONE_MORE_TRY = sql`
  CASE jsonb_typeof(recipients -> 0)
    WHEN 'object' THEN jsonb_set(
      recipients,
      '{0,tries}',
      to_jsonb(1 + coalesce((recipients #> '{0,tries}')::integer, 0))
    )
    ELSE recipients
  END`;

/** Noting `sending` counts a try: it was sent, and no clear answer came. */
export async function noteState({ db, now }: SendCtx, trigger: TriggerNow): Promise<void> {
  const { id, state, why, sentAs, outcome } = trigger;
  const row: StorableRow<Partial<typeof triggers.$inferInsert>> = {
    state,
    closedAt: OPEN_STATES.includes(state) ? null : now(),
    why: why === null ? null : storableEcho(why),
    ...(sentAs !== undefined && { sentAs: boundedId(sentAs) }),
  };
  const changes = {
    ...row,
    ...(state === 'sending' && { recipients: ONE_MORE_TRY }),
    ...(outcome !== undefined && { recipients: sql`jsonb_set(recipients, '{0,outcome}', to_jsonb(${outcome}::text))` }),
  };
  const isOpen = and(eq(triggers.id, id), inArray(triggers.state, OPEN_STATES));
  await db.update(triggers).set(changes).where(isOpen);
}
