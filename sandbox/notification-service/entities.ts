/**
 * The entities of the local Notification Service, with their names in the API. The service's enums are open (there can be new providers,
 * channels and severities), so a value can be a known word or any other string.
 */

export type Json = Record<string, unknown>;
export type Open<Known extends string> = Known | (string & {});

export const channels = ['in_app', 'email', 'sms', 'chat', 'push'] as const;
export type Channel = (typeof channels)[number];
export type StepType = Channel | 'digest' | 'trigger' | 'delay' | 'throttle' | 'custom';
export type JobStatus =
  | 'pending'
  | 'queued'
  | 'running'
  | 'delayed'
  | 'completed'
  | 'failed'
  | 'canceled'
  | 'merged'
  | 'skipped';
export type DetailStatus = 'Success' | 'Warning' | 'Failed' | 'Pending' | 'Queued' | 'ReadConfirmation';
export type DetailSource = 'Credentials' | 'Internal' | 'Payload' | 'Webhook';
export const severities = ['high', 'medium', 'low', 'none'] as const;
export type Severity = (typeof severities)[number];

/** The providers of the credentials update (contract, "ChannelSettings"). */
// biome-ignore format: rows of names read better than twenty lines
const chatProviders = [
  'slack', 'discord', 'msteams', 'mattermost', 'ryver', 'zulip', 'grafana-on-call', 'getstream', 'rocket-chat', 'whatsapp-business', 'chat-webhook', 'svc-slack',
] as const;
// biome-ignore format: as above
const pushProviders = ['fcm', 'apns', 'expo', 'one-signal', 'pushpad', 'push-webhook', 'pusher-beams', 'appio'] as const;
export const chatAndPushProviders = [...chatProviders, ...pushProviders] as const;

export interface ChannelCredentials {
  webhookUrl?: string | undefined;
  channel?: string | undefined;
  deviceTokens?: string[] | undefined;
  alertUid?: string | undefined;
  title?: string | undefined;
  imageUrl?: string | undefined;
  state?: string | undefined;
  externalUrl?: string | undefined;
}

export interface ChannelSettings {
  providerId: string;
  integrationIdentifier?: string | undefined;
  credentials: ChannelCredentials;
  _integrationId: string;
}

export interface Subscriber {
  _id: string;
  _organizationId: string;
  _environmentId: string;
  subscriberId: string;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  phone: string | null;
  avatar: string | null;
  locale: string | null;
  timezone: string | null;
  data: Json | null;
  channels: ChannelSettings[];
  topics: string[];
  isOnline: boolean;
  lastOnlineAt: string | null;
  deleted: boolean;
  createdAt: string;
  updatedAt: string;
  __v: number;
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
  /** In ascending order of `_id`. */
  subscriptions: TopicSubscription[];
}

export interface Integration {
  _id: string;
  _environmentId: string;
  _organizationId: string;
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

export interface StepFilter {
  isNegated: boolean;
  type: string;
  value: 'AND' | 'OR';
  children: { field: string; value: string; operator: string; on: 'subscriber' | 'payload' }[];
}

export interface WorkflowStep {
  _id: string;
  _templateId: string;
  name: string;
  type: StepType;
  providerId: string;
  active: boolean;
  /** Whether a failure here cancels the steps after it. */
  stopsOnFail: boolean;
  filters: StepFilter[];
  /** How long a digest collects or a delay waits, in seconds: between the first and the second number. */
  waitSeconds?: readonly [number, number];
  /** How many events of a subscriber a throttle lets pass in this many minutes. */
  throttle?: { readonly threshold: number; readonly minutes: number };
  /** The step in the form that a job has. */
  activity: ActivityStep;
}

export interface Workflow {
  _id: string;
  identifier: string;
  name: string;
  description: string;
  active: boolean;
  critical: boolean;
  severity: Severity;
  tags: string[];
  origin: string;
  variables: { name: string; required: boolean }[];
  steps: WorkflowStep[];
  /** The workflow in the form that an event has. */
  template: EventTemplate;
}

export interface ExecutionDetail {
  _id: string;
  createdAt: string;
  status: Open<DetailStatus>;
  detail: string;
  isRetry: boolean;
  isTest: boolean;
  source: Open<DetailSource>;
  providerId?: string;
  raw: string | null;
}

export interface ActivityStep {
  _id: string;
  _templateId: string;
  name: string;
  active: boolean;
  filters: StepFilter[];
  metadata?: Json;
  controlVariables?: Json;
}

export interface Job {
  _id: string;
  type: Open<StepType>;
  status: Open<JobStatus>;
  providerId?: string | null;
  step: ActivityStep;
  executionDetails: ExecutionDetail[];
  payload: Json;
  overrides: Json;
  digest?: Json;
  scheduleExtensionsCount?: number;
  updatedAt: string;
}

export interface EventTemplate {
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

export interface EventSubscriber {
  _id: string;
  subscriberId: string;
  firstName?: string;
  lastName?: string;
  email?: string;
  phone?: string;
}

export interface TriggeredEvent {
  _id: string;
  _environmentId: string;
  _organizationId: string;
  _subscriberId: string;
  _templateId?: string;
  _digestedNotificationId?: string;
  transactionId: string;
  createdAt: string;
  updatedAt: string;
  channels: Open<StepType>[];
  subscriber?: EventSubscriber | null;
  template?: EventTemplate | null;
  jobs: Job[];
  payload: Json;
  tags: string[];
  controls: Json;
  to: Json;
  topics: { _topicId: string; topicKey: string }[];
  severity: Open<Severity>;
  critical: boolean;
  contextKeys: string[];
}

/** What one step produced on one channel. `routes/messages.ts` adds subscriber and workflow in answers. */
export interface Message {
  _id: string;
  _notificationId: string;
  _messageTemplateId: string;
  subscriberId: string;
  workflow: string | null;
  transactionId: string;
  createdAt: string;
  channel: Open<Channel>;
  providerId?: string;
  status: 'sent' | 'error' | 'warning';
  errorId?: string;
  errorText?: string;
  subject?: string;
  title?: string;
  content: string;
  payload: Json;
  overrides: Json;
  contextKeys: string[];
  /** What its reader did with it. By default it was delivered when it was sent, and nobody has looked. */
  deliveredAt?: string[];
  seen?: boolean;
  read?: boolean;
  lastSeenDate?: string;
  lastReadDate?: string;
  snoozedUntil?: string;
  cta?: Json;
  _feedId?: string;
}
