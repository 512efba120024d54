import { type JudgedEvent, judgeNow } from '../failures/judge.ts';
import type { EventReader } from '../lib/ctx.ts';
import { ServiceError } from '../lib/errors.ts';
import { listEnd } from '../lib/time/service-clock.ts';
import { PAGE_SIZE, PERSON } from '../service/query.ts';
import { beginSteps, withSteps } from './steps.ts';

/** Of fifty. */
const MOST_PAGES = 40;
const LONGEST_READING_MS = 10_000;

/** A trigger to a topic can create thousands. */
export interface TransactionRead {
  readonly events: readonly JudgedEvent[];
  readonly unreadable: number;
  readonly isAll: boolean;
  readonly trouble: ServiceError | null;
}

/** Throws `ServiceError` if the first page fails. */
export async function readTransaction(
  ctx: { readonly service: EventReader; readonly now: () => Date },
  transactionId: string,
): Promise<TransactionRead> {
  const { service, now } = ctx;
  const startedAt = now().getTime();
  const steps = beginSteps();
  const query = { transactionId, before: listEnd(now(), service.clockAheadMs()), limit: PAGE_SIZE };
  const events: JudgedEvent[] = [];
  let [pages, unreadable, isAll] = [0, 0, true];
  try {
    for await (const page of service.eventPages(query, PERSON)) {
      const read = await withSteps(page.items, service, PERSON, steps);
      events.push(...read.map((event) => ({ event, judgement: judgeNow(event, ctx) })));
      unreadable += page.unreadable.length;
      pages += 1;
      isAll = !page.hasMore;
      if (pages >= MOST_PAGES || now().getTime() - startedAt >= LONGEST_READING_MS) break;
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || pages === 0) throw error;
    return { events, unreadable, isAll: false, trouble: error };
  }
  return { events, unreadable, isAll, trouble: null };
}
