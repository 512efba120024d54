import { recordEntry } from '../audit/audit.ts';
import type { Ctx } from '../lib/ctx.ts';
import { ServiceError } from '../lib/errors.ts';
import { maskedId } from '../lib/text/shown-id.ts';
import {
  type ChannelSettings,
  type CredentialsUpdate,
  type HeldCredentials,
  withoutValues,
} from '../service/credentials.ts';
import type { NotificationService } from '../service/operations.ts';
import { whyOf } from '../service/problem-words.ts';
import { PERSON } from '../service/query.ts';
import { outcomeInTrail, settle, writeOutcome } from './outcome.ts';

interface CredentialsCtx extends Ctx {
  serviceOf: (environment: string) => Pick<NotificationService, 'updateCredentials'>;
}

export interface CredentialsCommand {
  intent: string;
  environment: string;
  actor: string;
  channel: string | null;
  subscriberId: string;
  update: CredentialsUpdate;
}

type CredentialsUpdated =
  | { is: 'updated'; held: HeldCredentials }
  | { is: 'not-found' }
  | { is: 'unknown'; error: ServiceError }
  | { is: 'before' };

export type HeldBefore =
  | { is: 'shown'; settings: readonly ChannelSettings[] }
  | { is: 'not-shown' }
  | { is: 'no-subscriber' }
  | { is: 'unread'; why: string };

/** No operation reads a subscriber; messages can hold theirs. */
export async function heldBefore(
  service: Pick<NotificationService, 'listMessages'>,
  subscriberId: string,
): Promise<HeldBefore> {
  try {
    const page = await service.listMessages({ subscriberId, limit: 1 }, PERSON);
    if (page === null) return { is: 'no-subscriber' };
    const settings = page.items[0]?.settings ?? null;
    return settings === null ? { is: 'not-shown' } : { is: 'shown', settings };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { is: 'unread', why: whyOf(error.problem) };
  }
}

/** Stores no credentials. Throws when nothing was updated for sure. */
export async function updateCredentials(ctx: CredentialsCtx, command: CredentialsCommand): Promise<CredentialsUpdated> {
  const { intent: intentId, actor, channel, environment, subscriberId, update } = command;
  const change = { action: 'credentials', subscriberId: maskedId(subscriberId), provider: update.providerId } as const;
  const begun = { at: ctx.now(), actor, channel, environment, change, outcome: { is: 'begun' }, intentId } as const;
  if (!(await recordEntry(ctx.db, begun))) return { is: 'before' };
  const outcome = await writeOutcome(() =>
    ctx.serviceOf(environment).updateCredentials(subscriberId, update, { idempotencyKey: intentId }, PERSON),
  );
  const isMissing = outcome.is === 'done' && outcome.result === null;
  await settle(ctx, intentId, isMissing ? { is: 'refused', why: 'not-found' } : outcomeInTrail(outcome));
  if (outcome.is === 'done')
    return outcome.result === null ? { is: 'not-found' } : { is: 'updated', held: outcome.result };
  if (!(outcome.error instanceof ServiceError)) throw outcome.error;
  const error = withoutTyped(outcome.error, Object.values(update.credentials).flat());
  const fields = { intent: intentId, environment, outcome: outcome.is, err: error };
  ctx.logger.warn(fields, "Credentials weren't updated, or nobody knows");
  if (outcome.is === 'unknown') return { is: 'unknown', error };
  throw error;
}

function withoutTyped(error: ServiceError, typed: readonly string[]): ServiceError {
  const { environment, operation, problem, cause, outcomeUnknown } = error;
  if (!('message' in problem) || problem.message === undefined) return error;
  const message = withoutValues(problem.message, typed);
  return new ServiceError(environment, operation, { ...problem, message }, { cause, outcomeUnknown });
}
