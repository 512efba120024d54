import { InputError } from '../errors.ts';
import type { TriggeredEvent } from '../service/event.ts';
import { Payload } from '../text/payload.ts';
import { sameJson } from '../text/same-json.ts';
import type { FilledTrigger } from './trigger-plan.ts';

export interface Original {
  readonly environment: string;
  readonly workflow: string;
  readonly subscriberId: string;
  readonly payload: Payload;
  readonly advanced: Payload;
}

/** Throws `InputError` for an event that can't be sent again. */
export function originalOf({ workflow, subscriber, payload, ...event }: TriggeredEvent, environment: string): Original {
  if (subscriber === null) throw notAgain("It names no subscriber, so there's nobody to send it to.");
  if (workflow === null) throw notAgain('Its workflow was deleted, so there is nothing to send.');
  const { subscriberId } = subscriber;
  return { environment, workflow: workflow.identifier, subscriberId, payload, advanced: advancedOf(event) };
}

function notAgain(why: string): InputError {
  return new InputError('event', `This can't be sent again. ${why}`, null, 'Send a new test: /notif trigger.');
}

/** Returns an event's overrides and context. A trigger has one of each name for all steps: the first that the event has. */
function advancedOf({ jobs, contextKeys }: Pick<TriggeredEvent, 'jobs' | 'contextKeys'>): Payload {
  const overrides = jobs.flatMap((job) => Object.entries(job.overrides.forTrigger()));
  const context = contextKeys.flatMap((key) => {
    const [, type, id] = /^([^:]+):(.+)$/s.exec(key) ?? [];
    return type === undefined ? [] : [[type, id] as const];
  });
  return new Payload({
    ...(overrides.length > 0 && { overrides: firstOfEach(overrides) }),
    ...(context.length > 0 && { context: firstOfEach(context) }),
  });
}

function firstOfEach(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries([...entries].reverse());
}

/** Nobody gets to see the secrets of others by sending them elsewhere: originals go only where they went. Throws `InputError`. */
export function withOriginals(
  filled: FilledTrigger,
  original: Original,
  isTooLong: (whole: Payload) => boolean,
): FilledTrigger {
  const { environment, workflow, subscriberId } = original;
  const isSameTarget =
    filled.environment === environment &&
    filled.workflow === workflow &&
    filled.rows.every((row) => row.subscriberId === subscriberId);
  const restored = (typed: Payload, own: Payload) => {
    const whole = typed.isEmpty && isTooLong(own) ? own : own.edited(typed);
    if (isSameTarget || sameJson(whole.forTrigger(), typed.forTrigger())) return whole;
    throw new InputError('payload', ONLY_THERE);
  };
  const payload = restored(filled.payload, original.payload);
  return { ...filled, payload, advanced: restored(filled.advanced, original.advanced) };
}

const ONLY_THERE =
  "What the form doesn't show of the original is sent only to the same subscriber, by the same workflow in the same environment. Type it in full.";
