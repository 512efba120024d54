import type { Channel, Json } from './entities.ts';
import type { DetailPlan, EventPlan, JobPlan } from './event-plan.ts';
import { everydayFailuresOf, providerOf, plantedSecrets as secret, wording } from './provider-failures.ts';

/** Plans of realistic events for `world.plantEvent(…)`. Given values override the example's. */
export type Example = (given?: EventPlan) => EventPlan;

const sentJob = (type: Channel): JobPlan => ({
  type,
  status: 'completed',
  details: [
    { detail: wording.stepQueued, status: 'Queued' },
    { detail: wording.messageCreated, status: 'Pending' },
    { detail: wording.messageSent, providerId: providerOf[type] },
  ],
});

const failedDetail = (type: Channel, given: Partial<DetailPlan> = {}): DetailPlan => {
  const providerId = providerOf[type];
  return { ...everydayFailuresOf(providerId)[0], status: 'Failed', providerId, ...given };
};

const failedJob = (type: Channel, detail?: Partial<DetailPlan>): JobPlan => ({
  type,
  status: 'failed',
  details: [{ detail: wording.stepQueued, status: 'Queued' }, failedDetail(type, detail)],
});

export const delivered: Example = (given) => ({ jobs: [sentJob('in_app'), sentJob('email')], ...given });

export const failed = (type: Channel = 'email', given?: EventPlan, detail?: Partial<DetailPlan>): EventPlan => ({
  jobs: [failedJob(type, detail)],
  ...given,
});

export const bounced: Example = (given) => {
  const email = sentJob('email');
  const returned = failedDetail('email', {
    detail: wording.bounced,
    source: 'Webhook',
    raw: '{"event":"bounce","reason":"550 5.1.1"}',
  });
  return { jobs: [{ ...email, details: [...(email.details ?? []), returned] }], ...given };
};

export const undeliverable: Example = (given) => ({
  jobs: [{ type: 'email', status: 'canceled', details: [{ detail: wording.noEmail, status: 'Failed' }] }],
  ...given,
});

export const skippedByCondition: Example = (given) => ({
  jobs: [
    sentJob('in_app'),
    { type: 'sms', status: 'skipped', details: [{ detail: wording.skippedByConditions, status: 'Failed' }] },
  ],
  ...given,
});

export const canceledFollower: Example = (given) => ({
  jobs: [
    failedJob('email'),
    { type: 'in_app', status: 'canceled', details: [{ detail: wording.canceledByPrevious, status: 'Failed' }] },
  ],
  ...given,
});

export const mergedByDigest = (digestedId: string, given?: EventPlan): EventPlan => ({
  workflow: 'weekly-digest',
  _digestedNotificationId: digestedId,
  jobs: [
    { type: 'digest', status: 'merged', details: [{ detail: wording.digestMerged }] },
    { type: 'email', status: 'merged' },
  ],
  ...given,
});

export const delayedForHours: Example = (given) => ({
  workflow: 'appointment-reminder',
  jobs: [
    { type: 'delay', status: 'delayed', details: [{ detail: wording.stepDelayed }] },
    { type: 'sms', status: 'pending' },
  ],
  ...given,
});

export const topicFanOut = (size: number, given?: EventPlan): EventPlan[] =>
  Array.from({ length: size }, (_, index) => ({
    workflow: 'marketing-news',
    topics: ['news-readers'],
    transactionId: 'txn-fan-out',
    jobs: [sentJob('email')],
    ...given,
    subscriber: `reader-${index + 1}`,
  }));

export const unreadable = (shown: unknown = { _id: 42, jobs: 'none' }): EventPlan => ({
  ...delivered(),
  disguise: () => shown,
});

export const hostileText = `<!channel> <@U0VICTIM> <https://evil.example|click here> *bold* \`code\` & "quotes" '; DROP TABLE groups; -- <script>alert(1)</script> \u202Etxt.exe`;

export const hostile: Example = (given) => ({
  payload: { [hostileText]: hostileText },
  transactionId: 'txn-<!here>',
  contextKeys: [`tenant:${hostileText}`],
  jobs: [failedJob('email', { detail: hostileText, raw: hostileText })],
  ...given,
});

/** Every planted secret, in every place where the real service has been seen to show one. */
export const leaky: Example = (given) => {
  const everything: Json = { ...secret };
  const raw = JSON.stringify({
    message: `Rejected ${secret.email}`,
    config: { headers: { Authorization: secret.authorization } },
    everything,
  });
  return {
    payload: everything,
    to: { subscriberId: 'user-1', email: secret.email, phone: secret.phone },
    jobs: [{ ...failedJob('email', { raw }), payload: everything, overrides: { sendgrid: everything } }],
    ...given,
  };
};
