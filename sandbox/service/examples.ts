import { createdDetail, failureSummaries, queuedDetail, selectedDetail, sentDetail } from './details.ts';
import { type Channel, channelRows, type Json } from './entities.ts';
import type { DetailPlan, EventPlan, JobPlan } from './event-plan.ts';
import { everydayFailuresOf, plantedSecrets as secret, wording } from './provider-failures.ts';

/** Plans of realistic events for `world.plantEvent(…)`. Given values override the example's. */
export type Example = (given?: EventPlan) => EventPlan;

const attempt = (type: Channel, providerId: string, ...outcome: DetailPlan[]): DetailPlan[] => [
  ...(type === 'in_app' ? [] : [selectedDetail({ providerId })]),
  createdDetail(type, providerId, {}),
  ...outcome,
];

const sentJob = (type: Channel): JobPlan => {
  const providerId = channelRows[type].provider;
  return { type, details: [queuedDetail, ...attempt(type, providerId, sentDetail(type, providerId))] };
};

/** `detail.providerId` is the provider that was selected. The step names the channel's usual one all the same. */
const failedJob = (type: Channel, detail: Partial<DetailPlan> = {}): JobPlan => {
  const { providerId = channelRows[type].provider, ...given } = detail;
  const failure = { ...everydayFailuresOf(providerId)[0], status: 'Failed', ...given };
  const summary = failureSummaries.get(type);
  const details = [queuedDetail, ...attempt(type, providerId, failure), ...(summary ? [summary] : [])];
  return { type, status: 'failed', details };
};

export const delivered: Example = (given) => ({ jobs: [sentJob('in_app'), sentJob('email')], ...given });

export const failed = (type: Channel = 'email', given?: EventPlan, detail?: Partial<DetailPlan>): EventPlan => ({
  jobs: [failedJob(type, detail)],
  ...given,
});

export const bounced: Example = (given) => {
  const email = sentJob('email');
  const raw = '{"event":"bounce","reason":"550 5.1.1"}';
  const returned: DetailPlan = { detail: wording.bounced, raw, status: 'Failed', source: 'Webhook' };
  return { jobs: [{ ...email, details: [...(email.details ?? []), returned] }], ...given };
};

export const undeliverable: Example = (given) => ({
  jobs: [
    {
      type: 'email',
      status: 'canceled',
      details: [queuedDetail, ...attempt('email', 'sendgrid', { detail: wording.noEmail, status: 'Failed' })],
    },
  ],
  ...given,
});

export const skippedByCondition: Example = (given) => ({
  jobs: [
    sentJob('in_app'),
    {
      type: 'sms',
      status: 'canceled',
      details: [queuedDetail, { detail: wording.skippedByConditions, status: 'Failed', raw: '{"skip":true}' }],
    },
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
    { type: 'digest', status: 'merged', details: [queuedDetail, { detail: wording.digestMerged }] },
    { type: 'email', status: 'merged' },
  ],
  ...given,
});

export const delayedForHours: Example = (given) => ({
  workflow: 'appointment-reminder',
  jobs: [
    { type: 'delay', status: 'delayed', details: [queuedDetail, { detail: wording.stepDelayed, status: 'Pending' }] },
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
