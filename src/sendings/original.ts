import { InputError } from '../lib/errors.ts';
import { Payload } from '../lib/text/payload.ts';
import { eventKey, type TriggeredEvent } from '../service/event.ts';
import type { FilledTrigger, TriggerPlan } from './plan.ts';

const ONLY_THERE =
  'What is masked is sent only where the event went: same environment, workflow, subscriber and overrides, and no profile. Type it in full.';

type Target = Pick<FilledTrigger, 'environment' | 'workflow'>;

/** An event as it was triggered, to be sent again. */
export interface OriginalEvent {
  eventKey: string;
  environment: string;
  workflow: string;
  subscriberId: string;
  payload: Payload;
  advanced: Payload;
}

/** Throws if it can't be sent again. */
export function originalOf(event: TriggeredEvent, environment: string): OriginalEvent {
  const { workflow, subscriber, payload } = event;
  if (subscriber === null || workflow === null) {
    const why = subscriber === null ? 'It names no subscriber.' : 'Its workflow was deleted.';
    throw new InputError('event', `This can't be sent again. ${why}`, null, 'Send a new test: /notif trigger.');
  }
  return {
    eventKey: eventKey(event),
    environment,
    workflow: workflow.identifier,
    subscriberId: subscriber.subscriberId,
    payload,
    advanced: advancedOf(event),
  };
}

function advancedOf({ jobs, contextKeys }: Pick<TriggeredEvent, 'jobs' | 'contextKeys'>): Payload {
  // Of several with one name, the first counts: an object takes the last of its entries.
  const overrides = jobs.flatMap((job) => [...job.overrides.members()]);
  const context = contextKeys.flatMap((key) => {
    // 'region:eu:west' is the region 'eu:west'.
    const [, type, id] = /^([^:]+):(.+)$/s.exec(key) ?? [];
    return type === undefined ? [] : [[type, id] as const];
  });
  return new Payload({
    ...(overrides.length > 0 && { overrides: Object.fromEntries(overrides.reverse()) }),
    ...(context.length > 0 && { context: Object.fromEntries(context.reverse()) }),
  });
}

function isSentTo(
  { environment, workflow, subscriberId }: OriginalEvent,
  target: Target,
  events: readonly { subscriberId: string }[],
): boolean {
  const isSame = target.environment === environment && target.workflow === workflow;
  return isSame && events.every((event) => event.subscriberId === subscriberId);
}

/** Returns null for what isn't this event sent again, but a test with its contents. */
export function keyOfResent(plan: TriggerPlan, original: OriginalEvent): string | null {
  return plan.events.length === 1 && isSentTo(original, plan, plan.events) ? original.eventKey : null;
}

/** Restores masked values only for the same target: elsewhere they would reveal secrets. */
export function withOriginals(filled: FilledTrigger, original: OriginalEvent): FilledTrigger {
  const before = original.advanced.objectAt('overrides');
  const after = original.advanced.edited(filled.advanced);
  // A profile or an override may name another address.
  const isSameTarget =
    isSentTo(original, filled, filled.recipients) &&
    after.objectAt('profile') === null &&
    after.objectAt('overrides')?.canonical() === before?.canonical();
  const restored = (typed: Payload, whole: Payload) => {
    const sent = whole.edited(typed);
    if (isSameTarget || sent.equals(typed)) return sent;
    throw new InputError('payload', ONLY_THERE);
  };
  return {
    ...filled,
    payload: restored(filled.payload, original.payload),
    advanced: restored(filled.advanced, original.advanced),
  };
}
