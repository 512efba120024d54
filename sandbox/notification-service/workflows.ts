import type { EventTemplate, Json, Severity, StepFilter, StepType, Workflow, WorkflowStep } from './entities.ts';
import { defaultProvider } from './provider-failures.ts';
import { objectId, type Random } from './random.ts';

/** A digest that sends the first event at once and collects those that follow soon after (contract, "DigestRegular"). */
const backoffDigest: Json = {
  type: 'backoff',
  amount: 1,
  unit: 'minutes',
  digestKey: 'invoiceNumber',
  backoff: true,
  backoffAmount: 30,
  backoffUnit: 'seconds',
  updateMode: false,
};

/** A digest of every working day at nine, as in a workflow (contract, "DigestTimed"). */
const timedDigest: Json = {
  type: 'timed',
  amount: 1,
  unit: 'days',
  digestKey: 'headline',
  timed: { atTime: '09:00', weekDays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] },
};

interface WorkflowSketch {
  identifier: string;
  name: string;
  severity?: Severity;
  critical?: boolean;
  active?: boolean;
  tags?: string[];
  variables?: string[];
  required?: string[];
  origin?: string;
  steps: StepSketch[];
}

type StepSketch =
  | StepType
  | (Pick<WorkflowStep, 'type' | 'waitSeconds'> &
      Partial<WorkflowStep> & {
        metadata?: Json;
      });

const onlyForSubscribersWhoWantIt: StepFilter = {
  isNegated: false,
  type: 'GROUP',
  value: 'AND',
  children: [{ field: 'wantsUpdates', value: 'true', operator: 'EQUAL', on: 'payload' }],
};

const sketches: readonly WorkflowSketch[] = [
  {
    identifier: 'order-shipped',
    name: 'Order shipped',
    tags: ['orders'],
    variables: ['orderNumber', 'carrier', 'wantsUpdates'],
    steps: ['in_app', 'email', { type: 'sms', filters: [onlyForSubscribersWhoWantIt] }],
  },
  {
    identifier: 'password-reset',
    name: 'Password reset',
    severity: 'high',
    tags: ['account'],
    variables: ['resetLink'],
    steps: [{ type: 'email', stopsOnFail: true }],
  },
  {
    identifier: 'weekly-digest',
    name: 'Weekly digest',
    severity: 'low',
    tags: ['news'],
    variables: ['headline'],
    steps: [{ type: 'digest', waitSeconds: [45, 90] }, { type: 'email', stopsOnFail: true }, 'in_app'],
  },
  {
    identifier: 'payment-failed',
    name: 'Payment failed',
    severity: 'high',
    critical: true,
    tags: ['billing'],
    variables: ['amount', 'currency', 'customerEmail'],
    required: ['amount'],
    steps: ['email', 'sms', 'push', 'chat'],
  },
  {
    identifier: 'marketing-news',
    name: 'Marketing news',
    severity: 'none',
    tags: ['news'],
    variables: ['campaign'],
    steps: [
      { type: 'email', providerId: 'ses' },
      { type: 'push', filters: [onlyForSubscribersWhoWantIt] },
    ],
  },
  {
    identifier: 'appointment-reminder',
    name: 'Appointment reminder',
    severity: 'medium',
    tags: ['appointments'],
    variables: ['startsAt'],
    steps: [{ type: 'delay', waitSeconds: [120, 3 * 3600] }, 'sms'],
  },
  {
    identifier: 'login-alert',
    name: 'Login alert',
    severity: 'high',
    tags: ['account'],
    variables: ['device'],
    steps: [{ type: 'throttle', throttle: { threshold: 3, minutes: 10 } }, 'custom', 'push', 'email'],
  },
  {
    identifier: 'product-launch',
    name: 'Product launch',
    tags: ['news'],
    variables: ['product'],
    steps: ['in_app', { type: 'email', providerId: 'ses' }],
  },
  { identifier: 'retired-welcome', name: 'Retired welcome', active: false, steps: ['email'] },
  { identifier: 'empty-draft', name: 'Empty draft', steps: [] },
  { identifier: 'paused-survey', name: 'Paused survey', steps: [{ type: 'email', active: false }] },
];

/** Workflows with the rarer types of steps, all of which life runs now and then. */
const rarerSketches: readonly WorkflowSketch[] = [
  {
    identifier: 'invoice-reminder',
    name: 'Invoice reminder',
    severity: 'medium',
    tags: ['billing'],
    origin: 'svc-cloud-v1',
    variables: ['invoiceNumber'],
    steps: [{ type: 'digest', waitSeconds: [30, 60], metadata: backoffDigest }, 'email'],
  },
  {
    identifier: 'daily-summary',
    name: 'Daily summary',
    tags: ['news'],
    origin: 'external',
    variables: ['headline'],
    steps: [{ type: 'digest', waitSeconds: [30, 60], metadata: timedDigest }, 'email', 'push'],
  },
  {
    identifier: 'trial-ending',
    name: 'Trial ending',
    severity: 'low',
    tags: ['billing'],
    variables: ['endsAt'],
    steps: [{ type: 'delay', waitSeconds: [20, 60], metadata: { type: 'scheduled', delayPath: 'endsAt' } }, 'in_app'],
  },
];

export function seedRarerWorkflows(random: Random, at: number): Workflow[] {
  return rarerSketches.map((sketch) => toWorkflow(sketch, random, at));
}

/** Creates the sandbox's workflows. The last three are only there to show how the service declines a trigger. */
export function seedWorkflows(random: Random, at: number): Workflow[] {
  return sketches.map((sketch) => toWorkflow(sketch, random, at));
}

function toWorkflow(sketch: WorkflowSketch, random: Random, at: number): Workflow {
  const workflow = {
    _id: objectId(random, at),
    identifier: sketch.identifier,
    name: sketch.name,
    description: `${sketch.name}, from the sandbox`,
    active: sketch.active ?? true,
    critical: sketch.critical ?? false,
    severity: sketch.severity ?? 'none',
    tags: sketch.tags ?? [],
    origin: sketch.origin ?? 'svc-cloud',
    variables: (sketch.variables ?? []).map((name) => ({ name, required: sketch.required?.includes(name) ?? false })),
    steps: sketch.steps.map((step) => toStep(step, random, at)),
  };
  return { ...workflow, template: eventTemplate(workflow) };
}

function toStep(sketch: StepSketch, random: Random, at: number): WorkflowStep {
  const step = typeof sketch === 'string' ? { type: sketch } : sketch;
  const activity = {
    _id: objectId(random, at),
    _templateId: objectId(random, at),
    name: `${step.type} step`,
    active: step.active ?? true,
    filters: step.filters ?? [],
    ...(step.waitSeconds && { metadata: { type: 'regular', amount: step.waitSeconds[1], unit: 'seconds' } }),
    ...(step.metadata && { metadata: step.metadata }),
    ...(step.throttle && { controlVariables: controlsOf(step.throttle) }),
  };
  const wait = {
    ...(step.waitSeconds && { waitSeconds: step.waitSeconds }),
    ...(step.throttle && { throttle: step.throttle }),
  };
  const providerId = step.providerId ?? defaultProvider(step.type);
  return { ...activity, type: step.type, providerId, stopsOnFail: step.stopsOnFail ?? false, activity, ...wait };
}

function controlsOf({ threshold, minutes }: NonNullable<WorkflowStep['throttle']>): Json {
  return { type: 'fixed', amount: minutes, unit: 'minutes', threshold };
}

function eventTemplate({ _id, name, origin, identifier, variables }: Omit<Workflow, 'template'>): EventTemplate {
  const names = variables.map((variable) => ({ name: variable.name }));
  const trigger = { type: 'event' as const, identifier, variables: names, subscriberVariables: [{ name: 'email' }] };
  return { _id, name, origin, triggers: [trigger] };
}
