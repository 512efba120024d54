import arrivals from './arrivals.json' with { type: 'json' };
import type { Workflow } from './entities.ts';
import { type ProviderFailure, plantedSecrets } from './provider-failures.ts';
import { transactionId } from './random.ts';
import { startRun } from './runs.ts';
import { type Accidents, noAccidents, type World } from './world.ts';

/** About 40 events a minute: sends to a topic are rare, but many at a time. */
const MEAN_PAUSE_MS = 1800;
const MINUTE_MS = 60_000;

const everydayAccidents: Accidents = {
  conditionFalse: 0.25,
  unreachable: 0.1,
  providerError: 0.002,
  retry: 0.01,
  bounce: 0.015,
  stuck: 0.0006,
  selfMerged: 0.002,
};

/** Plans events that arrive by themselves, with everyday accidents. They happen when the agenda runs. The same seed gives the same ones. */
export function beginTraffic(world: World, since: number, until: number, accidents: Partial<Accidents> = {}): void {
  Object.assign(world.accidents, everydayAccidents, accidents);
  planArrival(world, since, until);
  if (until < Number.POSITIVE_INFINITY) world.agenda.plan(until, () => Object.assign(world.accidents, noAccidents));
}

export interface PastOutage {
  to: Date;
  provider: string;
  cause: ProviderFailure;
}

export const OUTAGE_MINUTES = 10;

/** Plans ten minutes of events on another day. From the third minute to the ninth, a provider refuses what it gets. */
export function planOutage(world: World, { to, provider, cause }: PastOutage): void {
  const [begin, end] = [to.getTime() - OUTAGE_MINUTES * MINUTE_MS, to.getTime()];
  planArrival(world, begin, end);
  world.agenda.plan(begin + 2 * MINUTE_MS, () => {
    world.agenda.plan(end - MINUTE_MS, world.startOutage(provider, { cause }));
  });
}

/** Events arrive independently of each other, so the pauses between them are distributed exponentially. */
function planArrival(world: World, after: number, until: number): void {
  const at = after + Math.ceil((-Math.log(1 - world.random.next()) * MEAN_PAUSE_MS) / world.pace);
  if (at > until) return;
  world.agenda.plan(at, () => {
    arrive(world, at);
    planArrival(world, at, until);
  });
}

function arrive(world: World, at: number): void {
  const { random } = world;
  const workflow = world.workflows.get(drawWorkflow(random.next()));
  if (!workflow || workflow.identifier === world.silentWorkflow) return;
  const topic = workflow.identifier === 'marketing-news' ? world.topics.get('news-readers') : undefined;
  const people = topic?.subscriptions.map(({ subscriberId }) => subscriberId) ?? [`user-${random.between(1, 120)}`];
  const shared = {
    workflow,
    transactionId: transactionId(random),
    payload: payloadOf(workflow, world),
    // A secret that the service shows with the event: the bot may post it nowhere.
    overrides: workflow.critical ? { sendgrid: { headers: { Authorization: plantedSecrets.authorization } } } : {},
    topics: topic ? [topic.key] : [],
  };
  for (const person of people) {
    const subscriberId = random.chance(world.accidents.unreachable) ? person : reachable(person);
    startRun(world, { ...shared, subscriberId, contextKeys: [tenantOf(subscriberId)], at });
  }
}

/** Returns this subscriber or the next that every step can reach: only such have chat and push settings, a phone and an email (seed.ts). */
function reachable(subscriberId: string): string {
  let number = numberOf(subscriberId);
  while (number % 3 > 0 || number % 7 === 0 || number % 10 === 0) number = (number % 120) + 1;
  return `user-${number}`;
}

const numberOf = (subscriberId: string): number => Number(subscriberId.replace(/\D/g, ''));

const tenantOf = (subscriberId: string): string => (numberOf(subscriberId) % 4 === 0 ? 'tenant:acme' : 'tenant:globex');

function drawWorkflow(draw: number): string {
  let left = draw * Object.values(arrivals).reduce((sum, weight) => sum + weight, 0);
  const drawn = Object.entries(arrivals).find(([, weight]) => {
    left -= weight;
    return left < 0;
  });
  return drawn?.[0] ?? 'order-shipped';
}

function payloadOf(workflow: Workflow, { random }: World) {
  const values: Record<string, unknown> = {
    orderNumber: `A-${random.between(10_000, 99_999)}`,
    carrier: random.pick(['DHL', 'UPS', 'Hermes']),
    resetLink: `https://shop.sandbox.example/reset?token=${random.hex(24)}`,
    headline: 'What happened this week',
    amount: random.between(500, 25_000) / 100,
    currency: 'EUR',
    customerEmail: plantedSecrets.email,
    campaign: 'summer',
    startsAt: '2030-01-01T09:00:00Z',
    wantsUpdates: 'true',
  };
  return Object.fromEntries(workflow.variables.map(({ name }) => [name, values[name]]));
}
