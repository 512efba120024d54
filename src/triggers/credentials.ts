import { recordEntry } from '../audit/audit.ts';
import type { ChangeOutcome } from '../audit/entry.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { maskedId } from '../lib/text/shown-id.ts';
import {
  type ChannelCredentials,
  type CredentialsUpdate,
  type HeldCredentials,
  withoutValues,
} from '../service/credentials.ts';
import type { Call } from '../service/query.ts';
import type { Db } from '../store/db.ts';
import { outcomeInTrail, settle, type WriteOutcome, writeOutcome } from './write-outcome.ts';

export interface CredentialsCtx {
  readonly db: Db;
  readonly serviceOf: (environment: string) => {
    updateCredentials(
      subscriberId: string,
      update: CredentialsUpdate,
      options: { readonly idempotencyKey: string },
      call: Call,
    ): Promise<HeldCredentials | null>;
  };
  readonly logger: Logger;
  readonly now: () => Date;
}

/** What an operator confirmed. Each confirmation has its own `intent`, which is sent once however often it is submitted. */
export interface CredentialsCommand {
  readonly intent: string;
  readonly environment: string;
  readonly actor: string;
  readonly channel: string | null;
  readonly subscriberId: string;
  readonly update: CredentialsUpdate;
}

export type CredentialsUpdated =
  /** The credentials of the subscriber's channels that the service now holds, masked. */
  | { readonly is: 'updated'; readonly held: HeldCredentials }
  | { readonly is: 'not-found' }
  | { readonly is: 'unknown'; readonly error: ServiceError }
  | { readonly is: 'before' };

/** Once per intent. Stores the credentials nowhere. Throws `ServiceError` or `InputError` when nothing was updated for sure. */
export async function updateCredentials(ctx: CredentialsCtx, command: CredentialsCommand): Promise<CredentialsUpdated> {
  const { intent: intentId, actor, channel, environment, subscriberId, update } = command;
  const change = { action: 'credentials', subscriberId: maskedId(subscriberId), provider: update.providerId } as const;
  const begun = { at: ctx.now(), actor, channel, environment, change, outcome: { is: 'begun' }, intentId } as const;
  if (!(await recordEntry(ctx.db, begun))) return { is: 'before' };
  const outcome = await writeOutcome(() =>
    ctx.serviceOf(environment).updateCredentials(subscriberId, update, { idempotencyKey: intentId }, { who: 'person' }),
  );
  ctx.logger.info({ intent: intentId, environment, outcome: outcome.is }, 'credentials update ended');
  await settle(ctx, intentId, trailOutcome(outcome));
  if (outcome.is === 'done')
    return outcome.result === null ? { is: 'not-found' } : { is: 'updated', held: outcome.result };
  if (!(outcome.error instanceof ServiceError)) throw outcome.error;
  const error = withoutTyped(outcome.error, update.credentials);
  if (outcome.is === 'unknown') return { is: 'unknown', error };
  throw error;
}

function trailOutcome(outcome: WriteOutcome<HeldCredentials | null>): ChangeOutcome {
  if (outcome.is !== 'done') return outcomeInTrail(outcome);
  return outcome.result === null ? { is: 'refused', why: 'not-found' } : { is: 'done' };
}

/** Removes what was typed from the service's words, which may quote it. */
function withoutTyped(error: ServiceError, credentials: ChannelCredentials): ServiceError {
  const { environment, operation, problem, cause, outcomeUnknown } = error;
  if (!('message' in problem) || problem.message === undefined) return error;
  const message = withoutValues(problem.message, Object.values(credentials).flat());
  return new ServiceError(environment, operation, { ...problem, message }, { cause, outcomeUnknown });
}
