import { z } from 'zod';
import { createdDetail, failureSummaries, selectedDetail, sentDetail } from './details.ts';
import { addressField, type ChannelSettings, type Integration, type Message } from './entities.ts';
import { type DetailPlan, errorOf, messageOfJob } from './event-plan.ts';
import { everydayFailuresOf, type ProviderFailure, providers, wording } from './provider-failures.ts';
import { note, type Turn } from './turns.ts';

type Outcome = 'sent' | 'failed' | 'unreachable';

/** A provider and address to try, or the detail and outcome of a try that can't be made. Without an address, `missing` is noted. */
type Target =
  | { integration: Integration; address: string | null; missing: string }
  | { obstacle: DetailPlan; outcome: Outcome };

interface Delivery {
  turn: Turn;
  targetsLeft: Target[];
  outcomes: Outcome[];
  end: (status: 'completed' | 'failed' | 'canceled', at: number) => void;
}

const RETRY_AFTER_MS = 4000;

/** Tries the step's provider, or for chat and push each that the subscriber has, one after the other. One that delivers is enough. */
export function deliver(turn: Turn, at: number, end: Delivery['end']): void {
  const { world, workflow, step } = turn;
  const targetsLeft = targetsOf(turn);
  const [first] = targetsLeft;
  const error = world.brokenTemplates.get(`${workflow.identifier} ${step.type}`);
  if (error === undefined) {
    if (first === undefined) note(turn, at, { detail: wording.noChannel, status: 'Warning' });
    tryNext({ turn, targetsLeft, outcomes: [], end }, at);
  } else {
    // The content of chat and push is made before their providers are chosen, and in-app messages have no choice.
    const isChosen = addressField(step.type) !== null;
    if (first && 'integration' in first && isChosen) note(turn, at, selectedDetail(first.integration));
    note(turn, at, { detail: wording.contentNotGenerated, status: 'Failed', raw: error });
    end('failed', at);
  }
}

function tryNext(delivery: Delivery, at: number, outcome?: Outcome): void {
  const { turn, targetsLeft, outcomes, end } = delivery;
  if (outcome !== undefined) outcomes.push(outcome);
  const target = targetsLeft.shift();
  if (target === undefined) {
    const status = outcomes.includes('sent') ? 'completed' : outcomes.includes('failed') ? 'failed' : 'canceled';
    const summary = failureSummaries.get(turn.step.type);
    if (summary && status === 'failed') note(turn, at, summary);
    end(status, at);
  } else if ('obstacle' in target) {
    note(turn, at, target.obstacle);
    tryNext(delivery, at, target.outcome);
  } else attempt(delivery, target, at);
}

function attempt(delivery: Delivery, target: Extract<Target, { integration: unknown }>, at: number): void {
  const { turn } = delivery;
  const { world, event, job } = turn;
  const { integration, address, missing } = target;
  const { providerId } = integration;
  if (job.type !== 'in_app') note(turn, at, selectedDetail(integration));
  note(turn, at, createdDetail(job.type, providerId, event.payload, event.subscriber ?? undefined));
  const message = messageOfJob(event, job, providerId, { random: world.random, at });
  world.addMessage(message);
  if (address === null) {
    note(turn, at, { detail: missing, status: 'Failed' });
    Object.assign(message, errorOf(job.type, { detail: missing }), { status: 'warning' });
    tryNext(delivery, at, 'unreachable');
  } else callProvider(delivery, address, message, at);
}

function callProvider(delivery: Delivery, address: string, message: Message, at: number): void {
  const { turn } = delivery;
  const { providerId = '' } = message;
  const { world, job } = turn;
  const sent = (later: number) => {
    note(turn, later, sentDetail(job.type, providerId, address));
    tryNext(delivery, later, 'sent');
  };
  world.agenda.plan(at + world.random.between(200, 1200), (later) => {
    const failure = providerFailureOf(turn, providerId);
    if (failure) {
      note(turn, later, { ...failure, status: 'Failed' });
      Object.assign(message, errorOf(job.type, failure));
      tryNext(delivery, later, 'failed');
    } else if (world.random.chance(world.accidents.retry)) {
      note(turn, later, { ...everydayFailuresOf(providerId)[0], status: 'Failed', isRetry: true });
      world.agenda.plan(later + RETRY_AFTER_MS, sent);
    } else sent(later);
  });
}

/** The provider's error, if an outage or chance says so. An HTTP step is its own provider. */
export function providerFailureOf({ world, event }: Turn, provider: string): ProviderFailure | undefined {
  const outage = world.outages.get(provider);
  const isHit = outage && (outage.contextKey === null || event.contextKeys.includes(outage.contextKey));
  if (isHit && world.random.chance(outage.share)) return outage.cause;
  const isAccident = world.random.chance(world.accidents.providerError);
  return isAccident ? world.random.pick(everydayFailuresOf(provider)) : undefined;
}

const Override = z.object({ integrationIdentifier: z.string() });

function targetsOf({ world, event, job, step: { type, providerId: wanted } }: Turn): Target[] {
  const subscriber = world.subscribers.get(event.subscriber?.subscriberId ?? '');
  const { phone = null, channels = [] } = subscriber ?? {};
  const active = world.activeIntegrations(type);
  if (type === 'chat' || type === 'push') {
    const known = channels.filter(({ providerId }) => providers.get(providerId)?.channel === type);
    const whatsApp = { providerId: 'whatsapp-business', credentials: { webhookUrl: phone ?? '' } };
    return [...known, ...(type === 'chat' && phone ? [whatsApp] : [])].flatMap((each) => targetsAt(each, type, active));
  }
  const named = Override.safeParse(job.overrides[type]).data?.integrationIdentifier;
  const integration = named
    ? active.find(({ identifier }) => identifier === named)
    : (active.find(({ providerId }) => providerId === wanted) ?? active.find(({ primary }) => primary) ?? active[0]);
  const raw = named ? JSON.stringify({ integrationIdentifier: named }) : null;
  if (!integration) return [{ obstacle: { ...noIntegration, raw }, outcome: 'failed' }];
  const field = addressField(type);
  const address = field === null ? '' : (subscriber?.[field] ?? null);
  return [{ integration, address, missing: field === 'email' ? wording.noEmail : wording.noPhone }];
}

const noIntegration = { detail: wording.noActiveIntegration, status: 'Failed' };

type ChatOrPush = Pick<ChannelSettings, 'providerId' | 'credentials'>;

function targetsAt({ providerId, credentials }: ChatOrPush, type: string, active: readonly Integration[]): Target[] {
  const { deviceTokens = [], webhookUrl } = credentials;
  const integration = active.find((each) => each.providerId === providerId);
  const raw = 'Integration is either deleted or not active';
  if (!integration) return [{ obstacle: { ...noIntegration, raw }, outcome: 'failed' }];
  const addresses = type === 'push' ? deviceTokens : webhookUrl ? [webhookUrl] : [];
  const missing = type === 'push' ? wording.noDeviceTokens : wording.noWebhookUrl;
  if (addresses.length === 0) return [{ obstacle: { detail: missing, status: 'Failed' }, outcome: 'unreachable' }];
  return addresses.map((address) => ({ integration, address, missing }));
}
