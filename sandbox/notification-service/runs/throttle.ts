import { wording } from '../wording.ts';
import { become, note, type Turn, turnOf } from './run.ts';

const unlimited = { threshold: Number.POSITIVE_INFINITY, minutes: 1 };

/**
 * A throttle step: a limited number of a subscriber's events pass in its window. Further ones are skipped, including all steps after it.
 */
export function throttle(turn: Turn, at: number, onward: (turn: Turn, at: number) => void): void {
  const { world, workflow, event } = turn.run;
  const { threshold, minutes } = turn.step.throttle ?? unlimited;
  const key = `${workflow.identifier} ${event._subscriberId}`;
  const passed = (world.throttled.get(key) ?? []).filter((time) => time > at - minutes * 60_000);
  if (passed.length < threshold) {
    world.throttled.set(key, [...passed, at]);
    become(turn, 'completed', at);
    onward(turn, at);
  } else skipTheRest(turn, at, { threshold, executionCount: passed.length });
}

/** Skips the remaining steps. The service counts this as a success. */
function skipTheRest(turn: Turn, at: number, result: object): void {
  note(turn, at, { detail: wording.throttled, raw: JSON.stringify({ throttled: true, ...result }) });
  for (let rest: Turn | undefined = turn; rest; rest = turnOf(rest.run, rest.index + 1)) become(rest, 'skipped', at);
}
