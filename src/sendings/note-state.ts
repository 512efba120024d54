import { and, eq, inArray, sql } from 'drizzle-orm';
import { boundedId, type StorableRow, storableEcho } from '../lib/text/shown-id.ts';
import type { Outcome } from '../lookups/outcome.ts';
import type { TriggerItem, TriggerResult } from '../service/trigger.ts';
import type { SendCtx } from './sending-rows.ts';
import { triggers } from './tables.ts';
import { OPEN_STATES, type TriggerState } from './trigger-states.ts';

export const NOT_FOUND = 'workflow_not_found';

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

/** A recipient that was erased has no tries. */
const ONE_MORE_TRY = sql`
  CASE jsonb_typeof(recipients -> 0)
    WHEN 'object' THEN jsonb_set(
      recipients,
      '{0,tries}',
      to_jsonb(1 + coalesce((recipients #> '{0,tries}')::integer, 0))
    )
    ELSE recipients
  END`;

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
