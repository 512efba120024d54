import type { Json } from '../entities.ts';
import { wording } from '../wording.ts';
import { become, note, type Turn, turnOf } from './run.ts';

type Onward = (turn: Turn, at: number) => void;

/** A digest step: a subscriber's first event collects, and those that follow in the meantime are merged into it. */
export function collectDigest(turn: Turn, at: number, onward: Onward): void {
  const { world, workflow, event } = turn.run;
  const key = `${workflow.identifier} ${event._subscriberId}`;
  const collecting = world.openDigests.get(key);
  if (collecting) mergeInto(turn, collecting._id, at);
  else openDigest(turn, key, at, onward);
}

function openDigest(turn: Turn, key: string, at: number, onward: Onward): void {
  const { world, event } = turn.run;
  world.openDigests.set(key, event);
  turn.job.digest = { ...digestOf(turn, at), events: [event.payload] };
  become(turn, 'delayed', at);
  note(turn, at, { detail: wording.stepDigested });
  world.agenda.plan(at + waitOf(turn), (later) => {
    world.openDigests.delete(key);
    become(turn, 'completed', later);
    note(turn, later, { detail: wording.digestTriggered });
    onward(turn, later);
  });
}

const DAY_MS = 86_400_000;

/** Returns the job's digest, as its step has it. A timed one also has the rule and the end that the service computed. */
function digestOf({ step }: Turn, at: number): Json {
  const { metadata } = step.activity;
  if (metadata?.type === 'backoff') return metadata;
  if (metadata?.type !== 'timed') return { type: 'regular', amount: step.waitSeconds?.[0] ?? 60, unit: 'seconds' };
  const config = typeof metadata.timed === 'object' ? metadata.timed : {};
  const until = { cronExpression: '0 9 * * 1-5', untilDate: new Date(at + DAY_MS).toISOString() };
  return { ...metadata, timed: { ...config, ...until } };
}

function mergeInto(turn: Turn, digestedId: string, at: number): void {
  turn.run.event._digestedNotificationId = digestedId;
  note(turn, at, { detail: wording.digestMerged });
  for (let rest: Turn | undefined = turn; rest; rest = turnOf(rest.run, rest.index + 1)) become(rest, 'merged', at);
}

/** The share of delays that end outside the hours in which a subscriber wants to be reached, and are extended. */
const EXTENDED_SHARE = 0.3;

/** A delay step: nothing happens for the workflow's time. */
export function waitForDelay(turn: Turn, at: number, onward: Onward): void {
  become(turn, 'delayed', at);
  note(turn, at, { detail: wording.stepDelayed });
  const { world } = turn.run;
  world.agenda.plan(at + waitOf(turn), (later) => {
    if (world.aside.chance(EXTENDED_SHARE)) turn.job.scheduleExtensionsCount = 1;
    become(turn, 'completed', later);
    note(turn, later, { detail: wording.delayFinished });
    onward(turn, later);
  });
}

function waitOf({ run, step }: Turn): number {
  const [shortest, longest] = step.waitSeconds ?? [60, 60];
  return run.world.random.between(shortest * 1000, longest * 1000);
}
