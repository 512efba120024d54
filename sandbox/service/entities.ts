/**
 * The entities of the local Notification Service, with their names in the API. The service's enums are open (there can be new providers,
 * channels and severities), so a value can be a known word or any other string.
 */

export type Json = Record<string, unknown>;
export type Open<Known extends string> = Known | (string & {});

export const channels = ['in_app', 'email', 'sms', 'chat', 'push'] as const;
export type Channel = (typeof channels)[number];
export type StepType = Channel | 'digest' | 'delay';
// biome-ignore format: a row of words reads better than nine lines
export type JobStatus = 'pending' | 'queued' | 'running' | 'delayed' | 'completed' | 'failed' | 'canceled' | 'merged' | 'skipped';
export type DetailStatus = 'Success' | 'Warning' | 'Failed' | 'Pending' | 'Queued' | 'ReadConfirmation';
export type DetailSource = 'Credentials' | 'Internal' | 'Payload' | 'Webhook';
export const severities = ['high', 'medium', 'low', 'none'] as const;
export type Severity = (typeof severities)[number];

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

export interface Subscriber extends Tenancy {
  _id: string;
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

export interface StepFilter {
  isNegated: boolean;
  type: string;
  value: 'AND' | 'OR';
  children: { field: string; value: string; operator: string; on: 'subscriber' | 'payload' }[];
}

/** A step in the form that a job has. */
export interface ActivityStep {
  _id: string;
  _templateId: string;
  name: string;
  active: boolean;
  filters: StepFilter[];
  metadata?: Json;
}

export interface WorkflowStep {
  type: StepType;
  providerId: string;
  /** Whether a failure here cancels the steps after it. */
  stopsOnFail: boolean;
  /** How long a digest collects or a delay waits, in seconds: between the first and the second number. */
  waitSeconds: readonly [number, number];
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

export interface TriggeredEvent extends Tenancy {
  _id: string;
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

/** What one step produced on one channel. `messages.ts` adds subscriber and workflow in answers. */
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
}
