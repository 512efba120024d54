import { orServiceError, ServiceError } from '../lib/errors.ts';
import type { NotificationService } from '../service/operations.ts';
import { whyOf } from '../service/problem-words.ts';
import { PERSON } from '../service/query.ts';

export type CheckedRecipients = Awaited<ReturnType<typeof checkRecipients>>;

/** `unknown`: the service would create these subscribers. `why`: they couldn't be checked. */
export async function checkRecipients(service: Pick<NotificationService, 'listMessages'>, ids: Iterable<string>) {
  const checks = [...new Set(ids)].map(async (subscriberId) => {
    return (await service.listMessages({ subscriberId, limit: 1 }, PERSON)) === null ? [subscriberId] : [];
  });
  const unknown = await orServiceError(Promise.all(checks));
  if (unknown instanceof ServiceError) return { unknown: [], why: whyOf(unknown.problem) };
  return { unknown: unknown.flat(), why: null };
}
