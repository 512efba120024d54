import { recordEntry } from '../audit/audit.ts';
import { storableId } from '../judging/filter.ts';
import { maskValues } from '../lib/text/mask.ts';
import { boundedId, maskedId, stored } from '../lib/text/shown-id.ts';
import type { ChannelSettings, CredentialsUpdate, UpdatedSubscriber } from '../service/credentials.ts';
import type { NotificationService } from '../service/operations.ts';
import { PERSON } from '../service/query.ts';
import { ServiceError } from '../service/service-error.ts';
import type { Ctx } from '../store/db.ts';
import { ERASED, erasedAmong } from '../store/erased.ts';
import { attemptWrite, outcomeInTrail, settle } from './try-write.ts';

type CredentialsCtx = Ctx & { serviceOf: (environment: string) => Pick<NotificationService, 'updateCredentials'> };

export type CredentialsOutcome =
  | { is: 'not-found' }
  | { is: 'updated'; current: UpdatedSubscriber }
  | { is: 'unknown'; error: ServiceError };

interface CredentialsCommand {
  intent: string;
  environment: string;
  actor: string;
  channel: string | null;
  subscriberId: string;
  update: CredentialsUpdate;
}

/** Reads the newest message, since no operation reads a subscriber. Returns null for an unknown subscriber. */
export async function currentSettings(
  service: Pick<NotificationService, 'listMessages'>,
  subscriberId: string,
): Promise<readonly ChannelSettings[] | null> {
  const page = await service.listMessages({ subscriberId, limit: 1 }, PERSON);
  return page && (page.items[0]?.subscriber?.settings ?? []);
}

/** Returns null for an intent that was sent before. Throws if the service refuses, or on a bug. */
export async function updateCredentials(
  ctx: CredentialsCtx,
  command: CredentialsCommand,
): Promise<CredentialsOutcome | null> {
  const { intent: intentId, actor, channel, environment, subscriberId, update } = command;
  const isRecorded = await ctx.db.transaction(async (tx) => {
    const at = ctx.now();
    const isErased = (await erasedAmong(tx, [storableId(subscriberId)], at)).size > 0;
    const change = stored({
      action: 'credentials',
      subscriberId: isErased ? boundedId(ERASED) : maskedId(subscriberId),
      provider: boundedId(update.providerId),
    });
    return recordEntry(tx, { at, actor, channel, environment, change, outcome: { is: 'begun' }, intentId });
  });
  if (!isRecorded) return null;
  const outcome = await attemptWrite(() =>
    ctx.serviceOf(environment).updateCredentials(subscriberId, update, { idempotencyKey: intentId }, PERSON),
  );
  const isMissing = outcome.is === 'done' && outcome.result === null;
  await settle(ctx, intentId, isMissing ? { is: 'refused', why: 'not-found' } : outcomeInTrail(outcome));
  if (outcome.is === 'done')
    return outcome.result === null ? { is: 'not-found' } : { is: 'updated', current: outcome.result };
  if (!(outcome.error instanceof ServiceError)) throw outcome.error;
  const typed = Object.values(update.credentials).flat();
  const error = outcome.error.reworded((text) => maskValues(text, typed));
  const fields = { intent: intentId, environment, outcome: outcome.is, err: error };
  ctx.logger.warn(fields, 'Credentials may not have been updated');
  if (outcome.is === 'unknown') return { is: 'unknown', error };
  throw error;
}
