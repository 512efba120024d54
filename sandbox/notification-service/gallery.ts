import { chatAndPushProviders, type Message } from './entities.ts';
import type { DetailPlan, EventPlan, JobPlan } from './event-plan.ts';
import { otherJobProviders, rarerIntegrationCredentials } from './gallery-names.ts';
import { everyDigest, everyFilter, everyStep } from './gallery-steps.ts';
import { objectId } from './random.ts';
import { wording } from './wording.ts';
import type { World } from './world.ts';

const DAY_MS = 86_400_000;
/** Older than everything that a bot still rechecks (72 h), and within what each plan keeps. */
const AGE_MS = 5 * DAY_MS;

/** A subscriber who has credentials for every provider. */
const COLLECTOR = 'collector';

/**
 * Plants what life produces too rarely to occur within minutes: every provider, form of digest, condition, detail and field of the
 * contract, in events and messages that are five days old at `since`, and in integrations. Randomness comes from `world.aside`.
 */
export function plantGallery(world: World, since: number): void {
  const at = since - AGE_MS;
  plantIntegrations(world);
  plantCollector(world, at);
  for (const [nth, plan] of events(at).entries()) {
    const event = world.plantEvent({ ...plan, createdAt: at + nth * 1000, subscriber: COLLECTOR }, world.aside);
    for (const { message } of world.messages.byTransaction(event.transactionId))
      Object.assign(message, shown(world, message));
  }
}

function plantIntegrations(world: World): void {
  const known = new Set(world.integrations.map(({ providerId }) => providerId));
  for (const providerId of chatAndPushProviders.filter((name) => !known.has(name)))
    world.plantIntegration({ providerId });
  world.plantIntegration({
    providerId: 'nodemailer',
    name: 'Own mail server',
    credentials: rarerIntegrationCredentials,
    configurations: { inboundWebhookEnabled: false, inboundWebhookSigningKey: '' },
    conditions: everyFilter,
  });
}

function plantCollector(world: World, at: number): void {
  const credentials = {
    ...{
      webhookUrl: 'https://chat.sandbox.example/hook',
      channel: 'alerts',
      deviceTokens: ['device-of-the-collector'],
    },
    ...{
      alertUid: 'alert-1',
      title: 'An alert',
      imageUrl: 'https://shop.sandbox.example/alert.png',
      state: 'alerting',
    },
    externalUrl: 'https://shop.sandbox.example/alerts/1',
  };
  const own = world.integrations.filter(
    ({ _environmentId, active }) => active && _environmentId === world.tenancy._environmentId,
  );
  Object.assign(world.subscriber(COLLECTOR), {
    ...{ firstName: 'Col', lastName: 'Lector', email: 'collector@people.sandbox.example', phone: '+4915550199999' },
    ...{ avatar: 'https://shop.sandbox.example/collector.png', locale: 'en_GB', timezone: 'Europe/Berlin' },
    ...{ data: { plan: 'gold' }, topics: ['news-readers'], isOnline: true, lastOnlineAt: new Date(at).toISOString() },
    channels: chatAndPushProviders.flatMap((providerId) => {
      const integration = own.find((one) => one.providerId === providerId);
      return integration
        ? [{ providerId, integrationIdentifier: integration.identifier, credentials, _integrationId: integration._id }]
        : [];
    }),
  });
  world.subscriber('user-40').avatar = 'https://shop.sandbox.example/user-40.png';
}

function events(at: number): readonly EventPlan[] {
  return [
    {
      workflow: 'account-recovery',
      jobs: everyStep.map((step) => ({ type: step.type, status: 'completed', step: step.activity })),
    },
    {
      workflow: 'order-shipped',
      jobs: [{ type: 'email', details: everyDetail(at) }],
      controls: { email: { subject: 'Shipped' } },
    },
    {
      workflow: 'weekly-digest',
      jobs: everyDigest.map((digest) => ({ type: 'digest', digest: { ...digest, events: [{}] } })),
    },
    { workflow: 'appointment-reminder', jobs: [{ type: 'delay', scheduleExtensionsCount: 2 }] },
    {
      workflow: 'weekly-digest',
      _digestedNotificationId: '65f0000000000000000000a4',
      jobs: [{ type: 'digest', status: 'merged' }],
    },
    {
      ...{ workflow: 'login-alert', topics: ['vip'], contextKeys: ['tenant:acme', 'region:eu'], tags: ['account'] },
      critical: true,
      jobs: [
        ...[{ type: 'trigger' }, { type: 'in_app' }, { type: 'chat' }, { type: 'push' }],
        { type: 'sms', status: 'failed', details: [{ status: 'Failed', detail: wording.smsUndelivered }] },
      ],
    },
    ...inParts(otherJobProviders, 8).map((providers): EventPlan => ({ jobs: providers.map(sentThrough) })),
  ];
}

function sentThrough(providerId: string): JobPlan {
  return {
    type: 'email',
    providerId,
    details: [{ detail: wording.messageSent, providerId, raw: '{"accepted":true}' }],
  };
}

function inParts<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, nth) => items.slice(nth * size, (nth + 1) * size));
}

const statuses = ['Success', 'Warning', 'Failed', 'Pending', 'Queued', 'ReadConfirmation'] as const;
const sources = ['Credentials', 'Internal', 'Payload', 'Webhook'] as const;

/** Returns details with every status from every source; the first ones belong to a test and a retry. */
function everyDetail(at: number): DetailPlan[] {
  return statuses.flatMap((status, nth) =>
    sources.map((source) => ({
      ...{ status, source, detail: `${status} of a sample`, isTest: nth === 0, isRetry: nth === 0 },
      createdAt: at + DAY_MS / 24,
    })),
  );
}

/** Returns what a message can show in addition to its job. */
function shown(world: World, { channel, createdAt, payload }: Message): Partial<Message> {
  const time = (ms: number) => new Date(Date.parse(createdAt) + ms).toISOString();
  if (channel === 'email') return { content: [...everyBlock] };
  if (channel !== 'in_app') return {};
  return {
    ...{ title: 'A new login', seen: true, read: true, lastSeenDate: time(1000), lastReadDate: time(2000) },
    ...{ deliveredAt: [createdAt, time(60_000)], snoozedUntil: time(30 * DAY_MS), _feedId: objectId(world.aside, 0) },
    cta: {
      ...{ type: 'redirect', data: { url: 'https://shop.sandbox.example/account' } },
      action: {
        status: 'done',
        buttons: [
          { type: 'primary', content: 'It was me', resultContent: 'Thank you' },
          { type: 'secondary', content: 'It was not me' },
        ],
        result: { type: 'secondary', payload },
      },
    },
  };
}

const everyBlock = [
  { type: 'text', content: 'Hello', styles: { textAlign: 'left' } },
  { type: 'text', content: 'Somebody logged in', styles: { textAlign: 'right' } },
  { type: 'button', content: 'Show it', url: 'https://shop.sandbox.example/account', styles: { textAlign: 'center' } },
] as const;
