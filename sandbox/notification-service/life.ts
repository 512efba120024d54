import type { Workflow } from './entities.ts';
import { plantedSecrets } from './provider-failures.ts';
import { transactionId } from './random.ts';
import { startRun } from './runs/steps.ts';
import { type Accidents, noAccidents, type World } from './world.ts';

/** About 40 events a minute: news to a topic are rare, but many at a time. */
const MEAN_PAUSE_MS = 1800;
const OUTAGE_EVERY_MS = 12 * 60_000;
const OUTAGE_SHARE = 0.9;

const everydayAccidents: Accidents = {
  conditionFalse: 0.25,
  providerError: 0.002,
  retry: 0.01,
  bounce: 0.015,
  stuck: 0.0006,
  warning: 0.01,
  reader: 0.4,
};

const arrivals = [
  { workflow: 'order-shipped', weight: 40 },
  { workflow: 'password-reset', weight: 25 },
  { workflow: 'weekly-digest', weight: 20 },
  { workflow: 'payment-failed', weight: 8 },
  { workflow: 'appointment-reminder', weight: 12 },
  { workflow: 'login-alert', weight: 6 },
  { workflow: 'invoice-reminder', weight: 2 },
  { workflow: 'daily-summary', weight: 2 },
  { workflow: 'trial-ending', weight: 2 },
  { workflow: 'marketing-news', weight: 0.25 },
] as const;

const failingProviders = ['sendgrid', 'twilio', 'fcm'] as const;

interface Lifetime {
  /** The beginning of life, in milliseconds: in the past for a service with a history. */
  since: number;
  /** When people begin to watch: the first outage that they see starts 20 to 40 seconds later. */
  present: number;
  goesOn: boolean;
  outagesGoOn: boolean;
  /** The largest number of outages before the present; by default one every 12 minutes. */
  earlierOutages?: number | undefined;
  accidents?: Partial<Accidents> | undefined;
}

/**
 * Plans the service's life: events that arrive by themselves, everyday accidents, and every 12 minutes an outage of one provider, after the
 * present only on request. The agenda runs it as far as the clock has come. The same seed gives the same life.
 */
export function beginLife(world: World, lifetime: Lifetime): void {
  const { since, present, goesOn, outagesGoOn, accidents } = lifetime;
  const until = goesOn ? Number.POSITIVE_INFINITY : present;
  const firstSeen = present + world.random.between(20_000, 40_000);
  const roomForOutages = Math.floor((firstSeen - since) / OUTAGE_EVERY_MS);
  const earlierOutages = Math.min(roomForOutages, lifetime.earlierOutages ?? roomForOutages);
  world.agenda.plan(since, () => {
    world.accidents = { ...everydayAccidents, ...accidents };
  });
  if (!goesOn) world.agenda.plan(present, () => calmDown(world));
  planArrival(world, since, until);
  const lastOutage = outagesGoOn ? until : present;
  planOutage(world, firstSeen - earlierOutages * OUTAGE_EVERY_MS, lastOutage, 0);
}

function calmDown(world: World): void {
  world.accidents = noAccidents;
  world.outages.clear();
}

function planArrival(world: World, after: number, until: number): void {
  const pause = (-Math.log(1 - world.random.next()) * MEAN_PAUSE_MS) / world.pace;
  const at = after + Math.ceil(pause);
  if (at > until) return;
  world.agenda.plan(at, () => {
    arrive(world, at);
    planArrival(world, at, until);
  });
}

function arrive(world: World, at: number): void {
  const workflow = world.workflows.get(drawWorkflow(world.random.next()));
  if (!workflow) return;
  const topic = workflow.identifier === 'marketing-news' ? world.topics.get('news-readers') : undefined;
  const people = topic
    ? topic.subscriptions.map(({ subscriberId }) => subscriberId)
    : [`user-${world.random.between(1, 120)}`];
  const shared = {
    workflow,
    transactionId: transactionId(world.random),
    payload: payloadOf(workflow, world),
    overrides: workflow.critical ? { sendgrid: { headers: { Authorization: plantedSecrets.authorization } } } : {},
    topics: topic ? [topic.key] : [],
  };
  for (const subscriberId of people)
    startRun(world, { ...shared, subscriberId, contextKeys: [tenantOf(subscriberId)], at });
}

/** Every fourth person is of one tenant, the others of the other. */
function tenantOf(subscriberId: string): string {
  return Number(subscriberId.replace(/\D/g, '')) % 4 === 0 ? 'tenant:acme' : 'tenant:globex';
}

function drawWorkflow(draw: number): string {
  const total = arrivals.reduce((sum, { weight }) => sum + weight, 0);
  let left = draw * total;
  for (const { workflow, weight } of arrivals) {
    left -= weight;
    if (left < 0) return workflow;
  }
  return arrivals[0].workflow;
}

function payloadOf(workflow: Workflow, { random }: World) {
  const values: Record<string, unknown> = {
    orderNumber: `A-${random.between(10_000, 99_999)}`,
    carrier: random.pick(['DHL', 'UPS', 'Hermes']),
    resetLink: `https://shop.sandbox.example/reset?token=${random.hex(24)}`,
    device: random.pick(['Firefox on Linux', 'Safari on iPhone']),
    headline: 'What happened this week',
    amount: random.between(500, 25_000) / 100,
    currency: 'EUR',
    customerEmail: plantedSecrets.email,
    campaign: 'summer',
    startsAt: '2030-01-01T09:00:00Z',
    wantsUpdates: 'true',
    invoiceNumber: `I-${random.between(1, 40)}`,
    endsAt: '2030-01-01T09:00:00Z',
  };
  return Object.fromEntries(workflow.variables.map(({ name }) => [name, values[name]]));
}

function planOutage(world: World, at: number, until: number, round: number): void {
  if (at > until) return;
  const provider = failingProviders[round % failingProviders.length] ?? 'sendgrid';
  const end = at + world.random.between(120_000, 180_000);
  world.agenda.plan(at, () => {
    world.startOutage({ provider, share: OUTAGE_SHARE });
    planOutage(world, at + OUTAGE_EVERY_MS, until, round + 1);
  });
  world.agenda.plan(end, () => world.endOutage(provider));
}
