import { createRandom } from '../../sandbox/service/random.ts';
import { type Fate, RENAMED, type StoryEvent } from './story.ts';

/** How the service shows an event: its clock, and whether the answer has the event's steps and what they say. */
export interface Showing {
  skewAt: (time: number) => number;
  hasJobs: boolean;
  hasDetails: boolean;
  renamedAt: number | null;
}

type Wire = Record<string, unknown>;

/** The time after which a step is done, unless it is refused. */
const STEP_MS = 3_000;

/** Returns an event as the service sends it at `now` (contract, "Activity notification"). Times are by the service's clock. */
export function wireEvent(event: StoryEvent, now: number, showing: Showing): Wire {
  const { index, workflow, poison } = event;
  const { skewAt, hasJobs } = showing;
  const time = (at: number) => event.hasTimes && { createdAt: iso(at + skewAt(at)), updatedAt: iso(at + skewAt(at)) };
  const id = idOf(event);
  const wire: Wire = {
    ...(id === null ? {} : { _id: id }),
    _environmentId: 'environment',
    _organizationId: 'organization',
    _subscriberId: `internal-${index}`,
    transactionId: poison === 'long-transaction' ? longText(index) : `txn-${index}`,
    ...time(event.createdAt),
    channels: [workflow.channel],
    subscriber: {
      _id: `internal-${index}`,
      subscriberId: subscriberOf(event),
    },
    template: templateOf(event, showing.renamedAt !== null && now >= showing.renamedAt),
    ...(hasJobs ? { jobs: jobsOf(event, now, showing) } : {}),
    payload: { order: index },
    tags: event.labelsFrom > 0 && now >= event.labelsFrom ? ['late'] : [],
    controls: {},
    critical: workflow.identifier === 'invoice' && now >= event.labelsFrom,
    severity: 'none',
    topics: poison === 'long-topic' ? [{ _topicId: 't', topicKey: longText(index) }] : [],
  };
  if (poison === 'unparsed')
    return { ...wire, ...(index % 2 === 0 ? { transactionId: 7 } : { jobs: jobsWith(wire, { _id: 7 }) }) };
  return now < event.oddUntil || now >= event.oddFrom ? withOddField(wire, event) : wire;
}

export const subscriberOf = ({ poison, index }: StoryEvent): string =>
  poison === 'long-subscriber' ? longText(index) : `user-${index % 20}`;

/** Random text, which can't be compressed to a size that an index accepts. */
const longText = (index: number): string => createRandom(index).hex(6_000);

function templateOf({ workflow, poison, index }: StoryEvent, isRenamed: boolean): Wire {
  const name = poison === 'long-workflow' ? longText(index) : workflow.identifier;
  const shown = isRenamed && name === 'login-code' ? RENAMED : name;
  return {
    _id: `workflow-${name.slice(0, 20)}`,
    name: shown,
    triggers: [{ type: 'event', identifier: name, variables: [] }],
  };
}

/** Returns the ID of the step that fails in the story. It distinguishes failures whatever the event's own IDs are. */
function jobIdOf({ index, poison }: StoryEvent): string {
  return poison === 'long-job' ? `job-${index}-${longText(index)}` : `job-${index}`;
}

function jobsOf(event: StoryEvent, now: number, { skewAt, hasDetails }: Showing): Wire[] {
  const { fate, failsAt, workflow, index } = event;
  const hasFailed = failsAt !== null && now >= failsAt;
  const doneAt = event.createdAt + STEP_MS;
  const isDone = now >= doneAt;
  const at = (time: number) => (event.hasTimes ? { updatedAt: iso(time + skewAt(time)) } : {});
  const main: Wire = {
    _id: jobIdOf(event),
    type: workflow.channel,
    providerId: workflow.provider,
    status: statusOf(fate, hasFailed, isDone),
    ...at(lastSignAt(event, now)),
    step: STEP,
    executionDetails: hasDetails ? detailsOf(event, now, skewAt) : [],
  };
  if (fate === 'partly-failed') {
    const other = { ...main, _id: `other-${index}`, type: 'in_app', providerId: 'novu', executionDetails: [] };
    return [{ ...other, status: isDone ? 'completed' : 'running' }, main];
  }
  if (fate !== 'late-step') return [main];
  const waitSeconds = Math.max(1, Math.round(((failsAt ?? doneAt) - event.createdAt) / 1_000) - 1);
  const delay: Wire = {
    _id: `delay-${index}`,
    type: 'delay',
    providerId: null,
    status: hasFailed ? 'completed' : 'delayed',
    ...at(event.createdAt),
    step: { ...STEP, _id: 'delay', metadata: { type: 'regular', amount: waitSeconds, unit: 'seconds' } },
    executionDetails: [],
  };
  return [delay, main];
}

/** When the step last showed any activity. A stuck one shows none after its creation. */
function lastSignAt(event: StoryEvent, now: number): number {
  const { fate, failsAt, createdAt } = event;
  if (fate === 'stuck') return createdAt;
  return failsAt !== null && now >= failsAt ? saidAt(event, now) : Math.min(createdAt + STEP_MS, now);
}

const STEP = { _id: 'step', active: true, filters: [], _templateId: 'template' };

function statusOf(fate: Fate, hasFailed: boolean, isDone: boolean): string {
  switch (fate) {
    case 'delivered':
    case 'warned':
    case 'bounced':
      return isDone ? 'completed' : 'running';
    case 'refused':
    case 'partly-failed':
      return hasFailed ? 'failed' : 'running';
    case 'late-step':
      return hasFailed ? 'failed' : 'pending';
    case 'undeliverable':
      return hasFailed ? 'canceled' : 'running';
    case 'skipped':
      return hasFailed ? 'skipped' : 'running';
    case 'retried':
      return isDone && hasFailed ? 'completed' : 'running';
    case 'stuck':
      return 'running';
  }
}

/** The words of the details that name no cause, by fate. */
export const WORDS: { [F in Fate]?: string } = {
  warned: 'Sent late',
  undeliverable: 'Subscriber does not have the contact that this channel needs',
  skipped: 'Step was skipped based on steps conditions',
};

/** Returns when its details last changed what they say of the failure. */
function saidAt({ failsAt, createdAt, before }: StoryEvent, now: number): number {
  return before !== null && now >= before.until ? before.until : (failsAt ?? createdAt);
}

function detailsOf(event: StoryEvent, now: number, skewAt: Showing['skewAt']): Wire[] {
  const { fate, failsAt, createdAt, hasTimes, workflow, before } = event;
  const sentAt = createdAt + STEP_MS;
  const cause = before !== null && now < before.until ? before.cause : event.cause;
  if (fate === 'warned') {
    const sent = detail('warning', 'Warning', WORDS.warned ?? event.cause, sentAt + skewAt(sentAt), hasTimes);
    return now >= sentAt ? [sent] : [];
  }
  if (failsAt === null || now < failsAt || fate === 'stuck' || cause === null) return [];
  const at = saidAt(event, now);
  return [
    {
      ...detail('failed', 'Failed', WORDS[fate] ?? cause, at + skewAt(at), hasTimes),
      source: fate === 'bounced' ? 'Webhook' : 'Internal',
      isRetry: fate === 'retried',
      providerId: workflow.provider,
    },
  ];
}

function detail(id: string, status: string, words: string, at: number, hasTime: boolean): Wire {
  const time = hasTime ? { createdAt: iso(at) } : {};
  return { _id: id, status, detail: words, source: 'Internal', isRetry: false, isTest: false, raw: null, ...time };
}

/** Optional fields that don't affect whether an event failed, each with a wrong type. */
const ODD_FIELDS: readonly ((wire: Wire) => Wire)[] = [
  (wire) => ({ ...wire, tags: 'urgent' }),
  (wire) => ({ ...wire, severity: 3 }),
  (wire) => ({ ...wire, critical: 'yes' }),
  (wire) => ({ ...wire, contextKeys: { tenant: 'a' } }),
  (wire) => ({ ...wire, topics: ['orders'] }),
  (wire) => ({ ...wire, channels: 'email' }),
  (wire) => ({ ...wire, updatedAt: 1_774_000_000 }),
  (wire) => ({ ...wire, _digestedNotificationId: 7 }),
  (wire) => ({ ...wire, subscriber: { ...Object(wire.subscriber), phone: 49_151 } }),
  (wire) => ({ ...wire, jobs: jobsWith(wire, { updatedAt: 5 }) }),
  (wire) => ({ ...wire, jobs: jobsWith(wire, { scheduleExtensionsCount: 'two' }) }),
  (wire) => ({ ...wire, jobs: jobsWith(wire, { step: 'first' }) }),
];

function jobsWith({ jobs }: Wire, change: Wire): unknown {
  return Array.isArray(jobs) ? jobs.map((job: unknown) => ({ ...Object(job), ...change })) : jobs;
}

const withOddField = (wire: Wire, { index }: StoryEvent): Wire => ODD_FIELDS[index % ODD_FIELDS.length]?.(wire) ?? wire;

const iso = (at: number) => new Date(at).toISOString();

/** A part of the IDs of events that the database refuses. */
export const UNSTORED = 'unstored event';

/** Returns the ID for retrieving an event; null if it has none. */
export function idOf({ index, poison }: StoryEvent): string | null {
  switch (poison) {
    case 'empty-id':
      return '';
    case 'dot-id':
      return '.';
    case 'dots-id':
      return '..';
    case 'control-id':
      return `\u0000\u0007${index}`;
    case 'surrogate-id':
      return `\ud83d${index}`;
    case 'unicode-id':
      return `💥 ünï ${index}`;
    case 'slash-id':
      return `../${index}?x=1#y`;
    case 'long-transaction':
      return null;
    case 'unstored':
      return `${UNSTORED} ${index}`;
    default:
      return index.toString(16).padStart(24, '0');
  }
}
