import { type Judgement, judge } from '../domain/failures/judge.ts';
import { byServiceClock } from '../domain/polling/clock.ts';
import type { TriggeredEvent } from '../domain/service/event.ts';
import type { ServiceTime } from '../domain/service/query.ts';

/** Judges an event as of now by the service's clock, which dates events. */
export function judgeNow(
  event: TriggeredEvent,
  { service, now }: { readonly service: ServiceTime; readonly now: () => Date },
): Judgement {
  return judge(event, byServiceClock(now(), service.clockAheadMs()));
}
