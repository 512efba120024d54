import { type JudgedEvent, judgeNow } from '../failures/judge.ts';
import type { EventReader } from '../lib/ctx.ts';
import { MASK } from '../lib/text/mask.ts';
import { listEnd, listStart } from '../lib/time/service-clock.ts';
import { withSteps } from '../lookups/steps.ts';
import { eventKey, type TriggeredEvent } from '../service/event.ts';
import type { NotificationService } from '../service/operations.ts';
import type { Call } from '../service/query.ts';
import type { BrokenEvent, Reread } from './resend-plan.ts';
import { eventsOfSubscribers } from './send.ts';

export type ResendService = EventReader & Pick<NotificationService, 'listEvents' | 'triggerEvents'>;

/** By their subscribers, who were sent newer ones perhaps; what isn't found so, and whose contact is masked, by its ID. */
export async function reread(
  broken: readonly BrokenEvent[],
  service: ResendService,
  { now, call }: { now: () => Date; call: Call },
): Promise<Reread> {
  const oldest = broken.reduce((first, { failedAt }) => (failedAt < first ? failedAt : first), now());
  const aheadMs = service.clockAheadMs();
  const window = { after: listStart(oldest, aheadMs), before: listEnd(now(), aheadMs) };
  const known = broken.flatMap(({ subscriberId }) =>
    subscriberId === null || subscriberId.includes(MASK) ? [] : [subscriberId],
  );
  const listed = await eventsOfSubscribers(known, window, service, call);
  const keys = new Set(listed.map(eventKey));
  const missing = broken.filter((event) => !keys.has(event.eventKey));
  const single = (await Promise.all(missing.map((event) => retrieved(event, service, call)))).filter(
    (event) => event !== null,
  );
  const contacts = single.flatMap(({ subscriber }) => subscriber?.subscriberId ?? []);
  const theirs = await eventsOfSubscribers(contacts, window, service, call);
  const all = new Map([...theirs, ...listed, ...single].map((event) => [eventKey(event), event]));
  const whole = await withSteps([...all.values()], service, call, { left: broken.length });
  const judged = whole.map((event): JudgedEvent => ({ event, judgement: judgeNow(event, { service, now }) }));
  const wanted = new Set(broken.map((event) => event.eventKey));
  return {
    events: new Map(judged.map((found) => [eventKey(found.event), found] as const).filter(([key]) => wanted.has(key))),
    others: judged.filter(({ event }) => !wanted.has(eventKey(event))),
  };
}

async function retrieved(
  { eventId, eventKey: key, transactionId }: BrokenEvent,
  service: ResendService,
  call: Call,
): Promise<TriggeredEvent | null> {
  if (eventId !== null) return service.retrieveEvent(eventId, call);
  const { items } = await service.listEvents({ transactionId, limit: 50 }, call);
  return items.find((event) => eventKey(event) === key) ?? null;
}
