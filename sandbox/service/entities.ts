/** The entities of the local Notification Service, with their names in the API. The service's enums are open: any string can be a value. */

export type Json = Record<string, unknown>;

/** Each channel's usual provider, whose integration is the channel's first, and the subscriber's field that a message is sent to. */
export const channelRows = {
  in_app: { provider: 'svc', address: null },
  email: { provider: 'sendgrid', address: 'email' },
  sms: { provider: 'twilio', address: 'phone' },
  chat: { provider: 'slack', address: null },
  push: { provider: 'fcm', address: null },
} as const;
export type Channel = keyof typeof channelRows;
export const channels = Object.keys(channelRows) as Channel[];
export const isChannel = (type: string): type is Channel => Object.hasOwn(channelRows, type);

/** Returns null for in-app messages, which need no address, and for chat and push, whose addresses a subscriber has by provider. */
export const addressField = (type: string): 'email' | 'phone' | null =>
  isChannel(type) ? channelRows[type].address : null;

export const severities = ['high', 'medium', 'low', 'none'] as const;

/** The chat and push providers of the credentials update (contract, "ChannelSettings"). */
// biome-ignore format: rows of names read better than twenty lines
export const chatAndPushProviders = [
  'slack', 'discord', 'msteams', 'mattermost', 'ryver', 'zulip', 'grafana-on-call', 'getstream', 'rocket-chat', 'whatsapp-business', 'chat-webhook', 'svc-slack',
  'fcm', 'apns', 'expo', 'one-signal', 'pushpad', 'push-webhook', 'pusher-beams', 'appio',
] as const;

export interface Tenancy {
  _organizationId: string;
  _environmentId: string;
}

export interface ChannelSettings {
  providerId: string;
  integrationIdentifier?: string | undefined;
  credentials: { webhookUrl?: string | undefined; deviceTokens?: string[] | undefined };
  _integrationId: string;
}

type Profile = Record<'firstName' | 'lastName' | 'email' | 'phone', string | null>;

export interface Subscriber extends Tenancy, Profile {
  _id: string;
  subscriberId: string;
  channels: ChannelSettings[];
  deleted: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface TopicSubscription {
  _id: string;
  createdAt: string;
  subscriberId: string;
}

export interface Topic {
  _id: string;
  key: string;
  name: string;
  createdAt: string;
  updatedAt: string;
  subscriptions: TopicSubscription[];
}

export interface Integration extends Tenancy {
  _id: string;
  name: string;
  identifier: string;
  providerId: string;
  channel: Channel;
  credentials: Json;
  configurations?: Json;
  active: boolean;
  deleted: boolean;
  deletedAt?: string;
  deletedBy?: string;
  primary: boolean;
  conditions: StepFilter[];
}

interface StepFilter {
  isNegated: boolean;
  type: string;
  value: 'AND' | 'OR';
  children: { field: string; value: string; operator: string; on: 'subscriber' | 'payload' }[];
}

export interface ActivityStep {
  _id: string;
  _templateId: string;
  name?: string;
  active: boolean;
  filters: StepFilter[];
  metadata?: Json;
}

export interface WorkflowStep {
  type: string;
  /** The provider to use if it has an active integration. Chat and push instead use all providers that the subscriber has. */
  providerId: string | null;
  stopsOnFail: boolean;
  /** The shortest and the longest time that a digest or delay takes, in seconds. A throttle's window is the first. */
  waitSeconds: readonly [number, number];
  /** What the API shows of the step. */
  activity: ActivityStep;
}

export interface Workflow {
  _id: string;
  identifier: string;
  name: string;
  description: string;
  active: boolean;
  critical: boolean;
  severity: string;
  tags: string[];
  variables: { name: string; required: boolean }[];
  steps: WorkflowStep[];
  template: EventTemplate;
}

export interface ExecutionDetail {
  _id: string;
  createdAt: string;
  status: string;
  detail: string;
  isRetry: boolean;
  isTest: boolean;
  source: string;
  providerId?: string;
  raw?: string | null;
}

export interface Job {
  _id: string;
  type: string;
  status: string;
  providerId?: string | null;
  step: ActivityStep;
  executionDetails: ExecutionDetail[];
  payload: Json;
  overrides: Json;
  digest?: Json;
  scheduleExtensionsCount?: number;
  updatedAt: string;
}

interface EventTemplate {
  _id: string;
  name: string;
  origin: string;
  triggers: {
    type: 'event';
    identifier: string;
    variables: { name: string }[];
    subscriberVariables: { name: string }[];
  }[];
}

export type EventSubscriber = Pick<Subscriber, '_id' | 'subscriberId'> & Partial<Profile>;

export interface TriggeredEvent extends Tenancy {
  _id: string;
  _subscriberId: string;
  _templateId?: string;
  _digestedNotificationId?: string;
  transactionId: string;
  createdAt: string;
  updatedAt: string;
  channels: string[];
  subscriber?: EventSubscriber | null;
  template?: EventTemplate | null;
  jobs: Job[];
  payload: Json;
  tags: string[];
  controls: Json;
  to: Json;
  topics: { _topicId: string; topicKey: string }[];
  severity: string;
  critical: boolean;
  contextKeys: string[];
}

export interface Message extends Partial<Record<'providerId' | 'errorId' | 'errorText' | 'subject' | 'title', string>> {
  _id: string;
  _notificationId: string;
  _messageTemplateId: string;
  subscriberId: string;
  /** Its identifier. */
  workflow: string | null;
  transactionId: string;
  createdAt: string;
  channel: string;
  status: 'sent' | 'error' | 'warning';
  content: string;
  payload: Json;
  overrides: Json;
  contextKeys: string[];
}
