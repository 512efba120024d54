import type { Fault as ServiceFault } from '../service/faults.ts';
import { everydayFailuresOf, outageOf, type ProviderFailure, refused } from '../service/provider-failures.ts';
import { type Random, transactionId } from '../service/random.ts';
import { plantRecording } from '../service/recordings.ts';
import { startRuns } from '../service/runs.ts';
import type { LocalService } from '../service/server.ts';
import type { Behavior, Outage, World } from '../service/world.ts';
import type { Fault as SlackFault } from '../slack/faults.ts';
import type { LocalSlack } from '../slack/server.ts';
import causes from './causes.json' with { type: 'json' };

export interface Stage {
  service: Pick<LocalService, 'world' | 'faults' | 'goAway' | 'comeBack'>;
  slack: Pick<LocalSlack, 'faults'>;
}

/** Ends what a window has begun. */
export type End = () => unknown;

/** Something that goes wrong, or right, and its time in milliseconds of scenario time. A momentary one has the same `from` and `to`. */
export interface FaultWindow {
  from: number;
  to: number;
  what: string;
  begin: (stage: Stage) => End;
}

type CauseName = keyof typeof causes;

/** In causes.json, an `answer` is the provider's own, or 'outage' or 'everyday' for the one in providers.json. */
export const causeNamed = (name: CauseName): { provider: string; cause: ProviderFailure } => {
  const { provider, answer } = causes[name];
  if (answer === 'outage') return { provider, cause: outageOf(provider) };
  return { provider, cause: answer === 'everyday' ? everydayFailuresOf(provider)[0] : refused(answer) };
};

export const MINUTE = 60_000;

/** Makes a window. Here and in all that follow, the times are in minutes. */
export const during = (from: number, to: number, what: string, begin: FaultWindow['begin']): FaultWindow => {
  return { from: from * MINUTE, to: to * MINUTE, what, begin };
};

export const outage = (from: number, to: number, name: CauseName, given: Partial<Outage> = {}): FaultWindow => {
  const { provider, cause } = causeNamed(name);
  return during(from, to, causes[name].what, (stage) => stage.service.world.startOutage(provider, { cause, ...given }));
};

export const behaves = (from: number, to: number, what: string, change: Partial<Behavior>): FaultWindow =>
  during(from, to, what, (stage) => stage.service.world.behave(change));

/** Twelve people who have one push and one chat provider, an email address, and most a phone number. */
const DOZEN = [3, 6, 9, 12, 18, 21, 24, 27, 33, 36, 39, 42].map((number) => `user-${number}`);

export const dozen = (at: number, name: string): FaultWindow =>
  during(at, at, `One trigger of ${name} reaches 12 people`, ({ service: { world } }) => reach(world, name, DOZEN));

export const uneventful = (from: number, to: number, what: string): FaultWindow =>
  during(from, to, what, () => () => {});

export const service = (from: number, to: number, what: string, fault: ServiceFault): FaultWindow =>
  during(from, to, what, ({ service: { faults } }) => faults.set('all', fault));

export const slow = (from: number, to: number, seconds: number): FaultWindow =>
  service(from, to, `Each answer takes ${seconds} seconds`, { kind: 'slow', ms: seconds * 1_000 });

/** Calls of Slack's Web API that get a fault; '*' is every method. */
interface FaultyCalls {
  method: string;
  fault: SlackFault;
  /** How many calls get it: all if it's left out. */
  times?: number;
}

export const slack = (from: number, to: number, what: string, calls: FaultyCalls): FaultWindow =>
  during(from, to, what, ({ slack: { faults } }) => {
    const { method, fault, times = Number.POSITIVE_INFINITY } = calls;
    return faults.next(method, fault, times);
  });

export const sockets = (at: number, act: 'cut' | 'refreshed'): FaultWindow =>
  during(at, at, `The connections are ${act}`, ({ slack: { faults } }) => {
    if (act === 'cut') faults.dropSockets();
    else faults.refreshSockets();
    return () => {};
  });

/** `person` tells the events of one recording apart. */
export const recorded = (name: string, at: number, person: number): FaultWindow =>
  during(at, at, `A real server's answer: ${name}`, ({ service: { world } }) => {
    plantRecording(world, name, `${name}-${person}`);
    return () => {};
  });

/** Triggers an email to 5,000 new people, of whom one in fifty has no address. */
export function reachEverybody({ service: { world } }: Stage, random: Random): End {
  const people = Array.from({ length: 5_000 }, (_, index) => `launch-${index + 1}`);
  world.plantTopic('launch', people);
  for (const id of people) {
    if (!random.chance(0.02)) world.subscriber(id).email = `${id}@crowd.sandbox.example`;
  }
  return reach(world, 'product-launch', people, ['launch']);
}

function reach(world: World, name: string, people: readonly string[], topics: readonly string[] = []): End {
  const workflow = world.workflows.get(name);
  const trigger = { transactionId: transactionId(world.random), payload: {}, overrides: {}, topics, contextKeys: [] };
  if (workflow) startRuns(world, people, { workflow, ...trigger });
  return () => {};
}
