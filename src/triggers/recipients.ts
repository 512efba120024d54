import { ServiceError } from '../lib/errors.ts';
import { inTime, type Sleep } from '../lib/time/waiting.ts';
import type { NotificationService } from '../service/operations.ts';
import { whyOf } from '../service/problem-words.ts';
import { PAGE_SIZE, PERSON } from '../service/query.ts';
import { SUBSCRIBERS_A_QUERY } from './read-events.ts';

/** `unknown`: whom the service would create. `why` it can't be known of the others. */
export interface CheckedRecipients {
  unknown: readonly string[];
  why: string | null;
}

type Lists = Pick<NotificationService, 'listEvents' | 'listMessages'>;

const LONGEST_MS = 5_000;

export async function checkRecipients(service: Lists, ids: Iterable<string>, sleep: Sleep): Promise<CheckedRecipients> {
  const tooLong = { unknown: [], why: whyOf({ kind: 'timed-out' }) };
  return inTime(unknownAmong(service, [...new Set(ids)]), LONGEST_MS, tooLong, sleep);
}

/** Whoever has events is known; of the others the service has messages, none, or no subscriber. */
async function unknownAmong(service: Lists, ids: readonly string[]): Promise<CheckedRecipients> {
  try {
    const groups = Array.from({ length: Math.ceil(ids.length / SUBSCRIBERS_A_QUERY) }, (_, group) =>
      ids.slice(group * SUBSCRIBERS_A_QUERY, (group + 1) * SUBSCRIBERS_A_QUERY),
    );
    const pages = groups.map((subscriberIds) => service.listEvents({ subscriberIds, limit: PAGE_SIZE }, PERSON));
    const events = (await Promise.all(pages)).flatMap(({ items }) => items);
    const seen = new Set(events.map(({ subscriber }) => subscriber?.subscriberId));
    const others = ids.filter((id) => !seen.has(id));
    const found = others.map((subscriberId) => service.listMessages({ subscriberId, limit: 1 }, PERSON));
    const messages = await Promise.all(found);
    return { unknown: others.filter((_, index) => messages[index] === null), why: null };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { unknown: [], why: whyOf(error.problem) };
  }
}
