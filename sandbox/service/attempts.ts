import { z } from 'zod';
import { createdDetail, failureSummaries, selectedDetail, sentDetail } from './details.ts';
import { addressField, type ChannelSettings, type Integration, type Message, type Subscriber } from './entities.ts';
import type { DetailPlan } from './event-plan.ts';
import { errorOf, messageOfJob } from './produced-messages.ts';
import { everydayFailuresOf, type ProviderFailure, providers, wording } from './provider-failures.ts';
import { note, type Turn } from './turns.ts';

type Outcome = 'sent' | 'failed' | 'unreachable';

type Target =
  | { integration: Integration; address: string }
  /** A provider for which the subscriber has no address. `missing` is the service's text for that. */
  | { integration: Integration; address: null; missing: string }
  /** A try that can't begin, the detail that is noted of it, and how it counts. */
  | { obstacle: DetailPlan; outcome: Outcome };

interface Delivery {
  turn: Turn;
  targetsLeft: Target[];
  outcomes: Outcome[];
  end: (status: 'completed' | 'failed' | 'canceled', at: number) => void;
}

const RETRY_AFTER_MS = 4_000;

/** Tries the step's provider, or for chat and push each that the subscriber has, one after the other. One that delivers is enough. */
export function deliver(turn: Turn, at: number, end: Delivery['end']): void {
  const { world, workflow, step } = turn;
  const targetsLeft = targetsOf(turn);
  const [first] = targetsLeft;
  const error = world.brokenTemplates.get(`${workflow.identifier} ${step.type}`);
  if (error !== undefined) {
    // The content of chat and push is made before their providers are chosen, and in-app messages have no choice.
    const isChosen = addressField(step.type) !== null;
    if (first && 'integration' in first && isChosen) note(turn, at, selectedDetail(first.integration));
    note(turn, at, { detail: wording.contentNotGenerated, status: 'Failed', raw: error });
    end('failed', at);
    return;
  }
  if (first === undefined) note(turn, at, { detail: wording.noChannel, status: 'Warning' });
  tryNext({ turn, targetsLeft, outcomes: [], end }, at);
}

function tryNext(delivery: Delivery, at: number, outcome?: Outcome): void {
  const { turn, targetsLeft, outcomes, end } = delivery;
  if (outcome !== undefined) outcomes.push(outcome);
  const target = targetsLeft.shift();
  if (target === undefined) {
    const status = statusAfter(outcomes);
    const summary = failureSummaries.get(turn.step.type);
    if (summary && status === 'failed') note(turn, at, summary);
    end(status, at);
  } else if ('obstacle' in target) {
    note(turn, at, target.obstacle);
    tryNext(delivery, at, target.outcome);
  } else attempt(delivery, target, at);
}

function statusAfter(outcomes: readonly Outcome[]): 'completed' | 'failed' | 'canceled' {
  if (outcomes.includes('sent')) return 'completed';
  return outcomes.includes('failed') ? 'failed' : 'canceled';
}

function attempt(delivery: Delivery, target: Extract<Target, { integration: unknown }>, at: number): void {
  const { turn } = delivery;
  const { world, event, job } = turn;
  const { integration, address } = target;
  const { providerId } = integration;
  if (job.type !== 'in_app') note(turn, at, selectedDetail(integration));
  note(turn, at, createdDetail(job.type, providerId, event.payload, event.subscriber ?? undefined));
  const message = messageOfJob(event, job, providerId, { random: world.random, at });
  world.addMessage(message);
  if (address === null) {
    note(turn, at, { detail: target.missing, status: 'Failed' });
    Object.assign(message, errorOf(job.type, { detail: target.missing }), { status: 'warning' });
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

const noIntegration = { detail: wording.noActiveIntegration, status: 'Failed' };

function targetsOf(turn: Turn): Target[] {
  const { type } = turn.step;
  return type === 'chat' || type === 'push' ? chatOrPushTargets(turn, type) : [targetOfChannel(turn)];
}

type ChatOrPush = Pick<ChannelSettings, 'providerId' | 'credentials'>;

function chatOrPushTargets(turn: Turn, type: 'chat' | 'push'): Target[] {
  const { phone = null, channels = [] } = subscriberOf(turn) ?? {};
  const settings: ChatOrPush[] = channels.filter(({ providerId }) => providers.get(providerId)?.channel === type);
  // WhatsApp's address is the phone number.
  if (type === 'chat' && phone) settings.push({ providerId: 'whatsapp-business', credentials: { webhookUrl: phone } });
  const active = turn.world.activeIntegrations(type);
  return settings.flatMap((each) => targetsAt(each, type, active));
}

function targetsAt({ providerId, credentials }: ChatOrPush, type: string, active: readonly Integration[]): Target[] {
  const { deviceTokens = [], webhookUrl } = credentials;
  const integration = active.find((each) => each.providerId === providerId);
  const raw = 'Integration is either deleted or not active';
  if (!integration) return [{ obstacle: { ...noIntegration, raw }, outcome: 'failed' }];
  const addresses = type === 'push' ? deviceTokens : webhookUrl ? [webhookUrl] : [];
  const missing = type === 'push' ? wording.noDeviceTokens : wording.noWebhookUrl;
  if (addresses.length === 0) return [{ obstacle: { detail: missing, status: 'Failed' }, outcome: 'unreachable' }];
  return addresses.map((address) => ({ integration, address }));
}

const Override = z.object({ integrationIdentifier: z.string() });
const NEEDS_NO_ADDRESS = '';

function targetOfChannel(turn: Turn): Target {
  const { world, job, step } = turn;
  const active = world.activeIntegrations(step.type);
  const overridden = Override.safeParse(job.overrides[step.type]).data?.integrationIdentifier;
  const field = addressField(step.type);
  // Where no integration is primary, the service chooses none, not even the step's own. In-app messages have no choice.
  const primary = field === null ? active[0] : active.find((each) => each.primary);
  const preferred = active.find(({ providerId }) => providerId === step.providerId) ?? primary;
  const named = active.find(({ identifier }) => identifier === overridden);
  const integration = overridden ? named : primary && preferred;
  const raw = overridden ? JSON.stringify({ integrationIdentifier: overridden }) : null;
  if (!integration) return { obstacle: { ...noIntegration, raw }, outcome: 'failed' };
  if (field === null) return { integration, address: NEEDS_NO_ADDRESS };
  const address = subscriberOf(turn)?.[field] ?? null;
  const missing = field === 'email' ? wording.noEmail : wording.noPhone;
  return address === null ? { integration, address, missing } : { integration, address };
}

function subscriberOf({ world, event }: Turn): Subscriber | undefined {
  return world.subscribers.get(event.subscriber?.subscriberId ?? '');
}
