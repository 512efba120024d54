import type { TriggeredEvent } from '../../sandbox/service/entities.ts';
import type { EventPlan, JobPlan } from '../../sandbox/service/event-plan.ts';
import { hostile, hostileText } from '../../sandbox/service/examples.ts';
import { plantedSecrets as secret } from '../../sandbox/service/provider-failures.ts';
import type { World as Service } from '../../sandbox/service/world.ts';

/** Each secret in a sentence, as providers have been seen to reveal it. */
export const indiscreet = [
  `Rejected ${secret.email} (${secret.phone}), user ${secret.smtpUser} with password=${secret.smtpPassword}`,
  `Authorization: ${secret.authorization}, Proxy-Authorization: ${secret.basicAuthorization}, X-Api-Key: ${secret.apiKey}`,
  `device ${secret.deviceToken} at ${secret.webhookUrl} signed by ${secret.serviceAccount}`,
].join('; ');

/** The same secrets as a library dumps them: JSON within JSON. */
const dumped = JSON.stringify({ message: 'Refused', ...secret, response: JSON.stringify({ ...secret, indiscreet }) });

/** Doesn't look like a secret. Only somebody who asks for the payload can see it. */
export const privatePayloadText = 'a ring for Dorothea';

/** A payload with secrets and contacts in values of all kinds and in keys. */
export const payload = {
  gift: privatePayloadText,
  note: indiscreet,
  ...secret,
  lists: [{ headers: { Authorization: secret.authorization } }, [secret.phone]],
  [secret.email]: 'her own address',
  [secret.webhookUrl]: 'where to',
};

/** A value that Notif must neither show nor keep, because it stands only in fields that Notif never reads. */
export const unused = 'of-no-use-4711';
const unusedFields = { unused, ...secret };

/** The subscriber to whom all of this belongs. */
export const CUSTOMER = 'customer-1';
export const CUSTOMERS_EVENT = '65f2a1c0d4e5f60718293a4b';

/** A service error that repeats all of the request and of what the service knows. */
export const TOO_MUCH = JSON.stringify({
  statusCode: 422,
  path: `/v1/notifications?emails=${secret.email}&token=${secret.apiKey}`,
  message: [indiscreet, hostileText],
  errorId: 'err-2f8c',
  ctx: secret,
  errors: { 'events.0.payload': { messages: [indiscreet], value: payload }, [secret.email]: { value: unused } },
});

/** The customer's last name, of which only the initial is shown. */
export const lastName = 'Geheimnisvoll';

export function plantCustomer(service: Service, subscriberId: string): void {
  const ids = { integrationIdentifier: secret.apiKey, _integrationId: secret.apiKey };
  Object.assign(service.subscriber(subscriberId), {
    firstName: 'Dorothea',
    lastName,
    email: secret.email,
    phone: secret.phone,
    avatar: secret.webhookUrl,
    data: unusedFields,
    channels: [
      { ...ids, providerId: 'fcm', credentials: { deviceTokens: [secret.deviceToken] } },
      { ...ids, providerId: 'slack', credentials: { webhookUrl: secret.webhookUrl, channel: unused } },
    ],
  });
}

/** Plants an event on every channel with secrets in each of its fields, including those that Notif never reads, and in its messages. */
export function plantSecretive(service: Service, given: EventPlan): TriggeredEvent {
  const jobs = [refused('email'), sent('sms'), sent('push'), sent('chat'), sent('in_app')];
  const to = { subscriberId: given.subscriber, email: secret.email, phone: secret.phone, data: unusedFields };
  const event = service.plantEvent({ jobs, payload, to, disguise: withUnusedFields, ...given });
  for (const { message } of service.messages.byTransaction(event.transactionId)) {
    const texts = { errorId: secret.webhookUrl, title: indiscreet, subject: indiscreet, content: indiscreet };
    Object.assign(message, { ...texts, cta: indiscreetCall });
  }
  return event;
}

/** A call to action that signs its reader in and reveals who that is. */
const indiscreetCall = {
  type: 'redirect',
  data: { url: `https://shop.example.com/login?token=${secret.apiKey}&email=${secret.email}` },
  action: {
    status: 'pending',
    buttons: [{ type: 'primary', content: indiscreet, resultContent: indiscreet }],
    result: { type: 'primary', payload },
  },
};

/** Adds conditions with secrets to the integrations, and plants a topic whose only subscriber is the customer. */
export function plantSetUp(service: Service, subscriberId: string): void {
  const children = [{ field: secret.email, value: indiscreet, operator: 'EQUAL', on: 'payload' as const }];
  for (const { conditions } of service.integrations) {
    conditions.push({ isNegated: false, type: 'GROUP', value: 'AND', children });
  }
  service.plantTopic('confidants', [subscriberId]);
}

/** Plants a failed email event for each word: as errors of different providers, they are different incidents. */
export function plantCauses(service: Service, words: readonly string[], given: EventPlan): void {
  for (const word of words) {
    const raw = JSON.stringify({ message: `${word}: ${indiscreet}`, ...secret });
    const details = [{ detail: 'Unexpected provider error', raw, status: 'Failed' }];
    service.plantEvent({ jobs: [{ type: 'email', status: 'failed', providerId: word, details }], ...given });
  }
}

function refused(type: string): JobPlan {
  const details = [
    { detail: indiscreet, raw: dumped, status: 'Failed', isRetry: true },
    { detail: 'Unexpected provider error', raw: dumped, status: 'Failed' },
    { detail: 'Unexpected provider error', raw: indiscreet, status: 'Failed', source: 'Webhook' },
  ];
  return { type, status: 'failed', details, payload, overrides: { ...secret, [secret.email]: indiscreet } };
}

function sent(type: string): JobPlan {
  const timed = { ...unusedFields, atTime: indiscreet, weekDays: [indiscreet], cronExpression: secret.apiKey };
  const digest = { digestKey: indiscreet, timed, events: [unusedFields], ...unusedFields };
  return { type, details: [{ detail: indiscreet, raw: dumped, status: 'Warning' }], payload, digest };
}

/** The event as the service answers it, with secrets in fields that Notif never reads and in conditions. */
function withUnusedFields(event: TriggeredEvent): unknown {
  const children = [{ field: secret.email, value: indiscreet, operator: secret.apiKey, on: secret.phone }];
  const filters = [{ isNegated: false, type: 'GROUP', value: 'AND', children }];
  const issues = { ...secret, [secret.email]: indiscreet };
  const content = { controlVariables: unusedFields, template: unusedFields, replyCallback: { url: secret.webhookUrl } };
  const step = { ...content, filters, issues };
  const jobs = event.jobs.map((job) => ({ ...unusedFields, ...job, step: { ...unusedFields, ...job.step, ...step } }));
  return {
    ...unusedFields,
    ...event,
    jobs,
    controls: unusedFields,
    subscriber: { ...unusedFields, ...event.subscriber },
  };
}

/** Plants an event with text that would be harmful as markup, wherever strangers can write. */
export function plantHostile(service: Service, given: EventPlan): TriggeredEvent {
  const details = [{ detail: hostileText, raw: hostileText, status: 'Failed', source: hostileText }];
  const jobs: JobPlan[] = [
    { type: 'email', status: 'failed', details },
    { type: hostileText, status: hostileText, providerId: hostileText, details },
  ];
  const named = { subscriber: hostileText, transactionId: hostileText, severity: hostileText };
  const plan = { ...named, tags: [hostileText], topics: [hostileText], jobs, disguise: withHostileNames, ...given };
  return service.plantEvent(hostile(plan));
}

function withHostileNames(event: TriggeredEvent): unknown {
  const trigger = { identifier: hostileText, variables: [{ name: hostileText }] };
  const jobs = event.jobs.map((job) => ({ ...job, step: { name: hostileText } }));
  return { ...event, jobs, template: { name: hostileText, triggers: [trigger] } };
}
