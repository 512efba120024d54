import type { AuditEntry, ChangeOutcome } from '../../domain/access/audit.ts';
import {
  type ChannelCredentials,
  type CredentialsUpdate,
  type HeldCredentials,
  withoutValues,
} from '../../domain/credentials/credentials.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Logger } from '../../domain/logger.ts';
import type { Call } from '../../domain/service/query.ts';
import { maskedId } from '../../domain/text/shown-id.ts';
import { type ChangeRecord, outcomeInTrail, type WriteOutcome, writeOutcome } from './record-change.ts';

/** What an operator confirmed. Each confirmation has its own `intent`, which is sent once however often it is submitted. */
export interface CredentialsCommand {
  readonly intent: string;
  readonly environment: string;
  readonly actor: string;
  readonly channel: string | null;
  readonly subscriberId: string;
  readonly update: CredentialsUpdate;
}

export interface CredentialsUpdater {
  updateCredentials(
    subscriberId: string,
    update: CredentialsUpdate,
    options: { readonly idempotencyKey: string },
    call: Call,
  ): Promise<HeldCredentials | null>;
}

export interface UpdateCredentialsParts {
  readonly service: CredentialsUpdater;
  readonly store: ChangeRecord;
  readonly logger: Logger;
  readonly now: () => Date;
}

export type CredentialsUpdated =
  /** The credentials of the subscriber's channels that the service now holds, masked. */
  | { readonly is: 'updated'; readonly held: HeldCredentials }
  | { readonly is: 'not-found' }
  | { readonly is: 'unknown'; readonly error: ServiceError }
  | { readonly is: 'before' };

/** Once per intent. Stores the credentials nowhere. Throws `ServiceError` or `InputError` when nothing was updated for sure. */
export async function updateCredentials(
  command: CredentialsCommand,
  parts: UpdateCredentialsParts,
): Promise<CredentialsUpdated> {
  if (!(await parts.store.recordChange(entryOf(command, parts.now())))) return { is: 'before' };
  const { intent: idempotencyKey, subscriberId, update } = command;
  const outcome = await writeOutcome(() =>
    parts.service.updateCredentials(subscriberId, update, { idempotencyKey }, { who: 'person' }),
  );
  await settle(command, trailOf(outcome), parts);
  if (outcome.is === 'done') {
    return outcome.result === null ? { is: 'not-found' } : { is: 'updated', held: outcome.result };
  }
  if (!(outcome.error instanceof ServiceError)) throw outcome.error;
  const error = withoutTyped(outcome.error, update.credentials);
  if (outcome.is === 'unknown') return { is: 'unknown', error };
  throw error;
}

function entryOf({ subscriberId, update, intent, ...asked }: CredentialsCommand, at: Date): AuditEntry {
  const { actor, channel, environment } = asked;
  const change = { action: 'credentials', subscriberId: maskedId(subscriberId), provider: update.providerId } as const;
  return { at, actor, channel, environment, change, outcome: { is: 'begun' }, intentId: intent };
}

function trailOf(outcome: WriteOutcome<HeldCredentials | null>): ChangeOutcome {
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

async function settle(
  { intent, environment }: CredentialsCommand,
  outcome: ChangeOutcome,
  { store, logger }: UpdateCredentialsParts,
): Promise<void> {
  logger.info({ intent, environment, outcome: outcome.is }, 'credentials update ended');
  try {
    await store.settleChange(intent, outcome);
  } catch (error) {
    logger.error({ err: error, intent, environment }, "the outcome of a change couldn't be recorded");
  }
}
