import type { Job, JobStatus, Message, Subscriber, TriggeredEvent, Workflow, WorkflowStep } from '../entities.ts';
import { type DetailPlan, detailFromPlan, isChannel, messageOfJob } from '../event-plan.ts';
import { everydayFailuresOf, type ProviderFailure, wording } from '../provider-failures.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';

export interface Run {
  readonly world: World;
  readonly event: TriggeredEvent;
  readonly workflow: Workflow;
}

export interface Turn {
  readonly run: Run;
  readonly index: number;
  readonly job: Job;
  readonly step: WorkflowStep;
}

export function turnOf(run: Run, index: number): Turn | undefined {
  const job = run.event.jobs[index];
  const step = run.workflow.steps.filter(({ active }) => active)[index];
  return job && step ? { run, index, job, step } : undefined;
}

export function become({ run, job }: Turn, status: JobStatus, at: number): void {
  const time = new Date(at).toISOString();
  job.status = status;
  job.updatedAt = time;
  run.event.updatedAt = time;
}

export function note({ run, job }: Turn, at: number, plan: DetailPlan, random: Random = run.world.random): void {
  job.executionDetails.push(detailFromPlan(plan, at, random));
}

/** The probabilities of what somebody who looks at a message does with it. */
const READ = 0.6;
const SNOOZED = 0.1;
const PRESSED = 0.2;

const SNOOZE_MS = 60_000;

/**
 * Plans what happens to a delivered message: an inbox message is seen, read, snoozed or answered; an email's provider reports that it was
 * opened. Randomness comes from `world.aside`, so the events are the same with and without readers.
 */
function reachReader(turn: Turn, message: Message, at: number): void {
  const { world } = turn.run;
  if (message.channel === 'in_app' && world.likelihood('reader') > 0) message.cta = offeredActions;
  if (!world.aside.chance(world.likelihood('reader'))) return;
  const later = at + world.aside.between(5_000, 60_000);
  if (message.channel === 'in_app') world.agenda.plan(later, (time) => look(turn, message, time));
  if (message.channel === 'email') {
    const opened = { detail: wording.opened, status: 'ReadConfirmation', source: 'Webhook' } as const;
    world.agenda.plan(later, (time) => note(turn, time, opened, world.aside));
  }
}

function look({ run: { world } }: Turn, message: Message, at: number): void {
  const time = new Date(at).toISOString();
  Object.assign(message, { seen: true, lastSeenDate: time });
  if (world.aside.chance(SNOOZED)) snooze(message, at, world.agenda);
  else if (world.aside.chance(READ)) Object.assign(message, { read: true, lastReadDate: time });
  if (message.read && world.aside.chance(PRESSED)) press(message);
}

/** A snoozed message is delivered again when its time has come (contract, `deliveredAt`). */
function snooze(message: Message, at: number, agenda: Turn['run']['world']['agenda']): void {
  const until = new Date(at + SNOOZE_MS).toISOString();
  message.snoozedUntil = until;
  agenda.plan(at + SNOOZE_MS, () => {
    message.deliveredAt = [message.createdAt, until];
    delete message.snoozedUntil;
  });
}

function press(message: Message): void {
  message.cta = { ...message.cta, action: { ...buttons, status: 'done', result: { type: 'primary', payload: {} } } };
}

const buttons = {
  buttons: [
    { type: 'primary', content: 'Show it', resultContent: 'Shown' },
    { type: 'secondary', content: 'Not now' },
  ],
};

const offeredActions = {
  type: 'redirect',
  data: { url: 'https://shop.sandbox.example/account' },
  action: { status: 'pending', ...buttons },
} as const;

interface After {
  onward: (turn: Turn, at: number) => void;
  stop: (turn: Turn, at: number) => void;
}

const RETRY_AFTER_MS = 4000;

/** A channel step: the message is sent or refused, or can't be sent. */
export function deliver(turn: Turn, at: number, after: After): void {
  const obstacle = obstacleOf(turn);
  if (obstacle) giveUp(turn, at, obstacle, after);
  else startSending(turn, at, after);
}

function startSending(turn: Turn, at: number, after: After): void {
  const { world } = turn.run;
  note(turn, at, { detail: wording.startSending, status: 'Pending' });
  world.agenda.plan(at + world.random.between(200, 1200), (later) => callProvider(turn, later, after));
}

function callProvider(turn: Turn, at: number, after: After): void {
  const { world } = turn.run;
  const failure = failureToRender(turn) ?? failureOf(turn);
  if (failure) fail(turn, at, failure, after);
  else if (world.random.chance(world.likelihood('retry'))) retry(turn, at, after);
  else sent(turn, at, after);
}

function retry(turn: Turn, at: number, after: After): void {
  const [failure] = everydayFailuresOf(providerOfTurn(turn));
  note(turn, at, { ...failureDetail(turn, failure), isRetry: true });
  turn.run.world.agenda.plan(at + RETRY_AFTER_MS, (later) => sent(turn, later, after));
}

function failureToRender({ run, step }: Turn): ProviderFailure | undefined {
  const broken = run.world.brokenTemplate(run.workflow.identifier, step.type);
  return broken && { detail: wording.contentNotGenerated, raw: broken.raw };
}

function failureOf(turn: Turn): ProviderFailure | undefined {
  const { world, event } = turn.run;
  const provider = providerOfTurn(turn);
  const outage = world.outages.get(provider);
  const isHit = outage && (outage.contextKey === null || event.contextKeys.includes(outage.contextKey));
  if (isHit && world.random.chance(outage.share)) return outage.cause;
  return world.random.chance(world.likelihood('providerError'))
    ? world.random.pick(everydayFailuresOf(provider))
    : undefined;
}

function fail(turn: Turn, at: number, failure: ProviderFailure, after: After): void {
  const { world, event } = turn.run;
  become(turn, 'failed', at);
  note(turn, at, failureDetail(turn, failure));
  world.addMessage(messageOfJob(event, turn.job, world.random, at));
  if (turn.step.stopsOnFail) after.stop(turn, at);
  else after.onward(turn, at);
}

function failureDetail(turn: Turn, { detail, raw }: ProviderFailure) {
  return { detail, raw, status: 'Failed', source: 'Internal', providerId: providerOfTurn(turn) } as const;
}

function sent(turn: Turn, at: number, after: After): void {
  const { world, event } = turn.run;
  become(turn, 'completed', at);
  note(turn, at, { detail: wording.messageCreated, status: 'Pending' });
  note(turn, at, { detail: wording.messageSent, providerId: providerOfTurn(turn) });
  if (world.aside.chance(world.likelihood('warning'))) warn(turn, at);
  const message = messageOfJob(event, turn.job, world.random, at);
  world.addMessage(message);
  reachReader(turn, message, at);
  after.onward(turn, at);
  bounceLater(turn, at);
}

function warn(turn: Turn, at: number): void {
  const { aside } = turn.run.world;
  const [detail, source] = aside.pick([
    [wording.contentShortened, 'Payload'],
    [wording.credentialsExpire, 'Credentials'],
  ] as const);
  note(turn, at, { detail, source, status: 'Warning', providerId: providerOfTurn(turn) }, aside);
}

interface Bounce {
  readonly chance: number;
  readonly detail: string;
  readonly raw: string;
}

/** Plans a bounce: the provider's webhook reports it a minute or more later, at the world's pace. */
function bounceLater(turn: Turn, at: number): void {
  const { world, event } = turn.run;
  const bounce = bounceOf(turn);
  if (bounce === undefined || !world.random.chance(bounce.chance)) return;
  const { detail, raw } = bounce;
  world.agenda.plan(at + world.random.between(60_000, 180_000) / world.pace, (later) => {
    event.updatedAt = new Date(later).toISOString();
    note(turn, later, { detail, raw, status: 'Failed', source: 'Webhook', providerId: providerOfTurn(turn) });
  });
}

/** Returns how a message of this channel bounces; undefined if the channel never reports bounces. */
function bounceOf({ run: { world, event }, job }: Turn): Bounce | undefined {
  const everyday = world.likelihood('bounce');
  if (job.type === 'sms') return { chance: everyday, detail: wording.smsUndelivered, raw: undeliveredSms };
  if (job.type !== 'email') return undefined;
  const { share, reason } = world.bounceStorm() ?? { share: everyday, reason: '550 5.1.1 The account does not exist' };
  const raw = JSON.stringify({ event: 'bounce', type: 'blocked', reason, email: event.subscriber?.email });
  return { chance: share, detail: wording.bounced, raw };
}

const undeliveredSms = JSON.stringify({
  MessageStatus: 'undelivered',
  ErrorCode: 30003,
  ErrorMessage: 'Unreachable destination handset',
});

function giveUp(turn: Turn, at: number, { detail, status }: Obstacle, after: After): void {
  become(turn, status, at);
  note(turn, at, { detail, status: 'Failed' });
  after.onward(turn, at);
}

interface Obstacle {
  detail: string;
  status: 'failed' | 'canceled';
}

function obstacleOf({ run, job }: Turn): Obstacle | undefined {
  const { world, event } = run;
  const active = world.integrations.some(
    (integration) =>
      integration.active &&
      integration.channel === job.type &&
      integration._environmentId === world.tenancy._environmentId,
  );
  if (!active) return { detail: wording.noActiveIntegration, status: 'failed' };
  const subscriber = world.subscribers.get(event.subscriber?.subscriberId ?? '');
  const missing = isChannel(job.type) && subscriber ? missingAddress(job.type, subscriber) : undefined;
  return missing === undefined ? undefined : { detail: missing, status: 'canceled' };
}

function missingAddress(channel: string, { email, phone, channels }: Subscriber): string | undefined {
  if (channel === 'email' && !email) return wording.noEmail;
  if (channel === 'sms' && !phone) return wording.noPhone;
  if (channel === 'push' && !channels.some(({ credentials }) => credentials.deviceTokens?.length))
    return wording.noDeviceTokens;
  if (channel === 'chat' && !channels.some(({ credentials }) => credentials.webhookUrl)) return wording.noWebhookUrl;
  return undefined;
}

function providerOfTurn({ job }: Turn): string {
  return job.providerId ?? 'svc';
}
