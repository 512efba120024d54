import { z } from 'zod';
import type { Environment } from '../lib/environment.ts';
import { InputError } from '../lib/errors.ts';
import { fold } from '../lib/fold.ts';
import { lastOfEach } from '../lib/group-by.ts';
import type { Payload } from '../lib/text/payload.ts';
import { maskedId } from '../lib/text/shown-id.ts';
import type { Workflow } from '../service/lists.ts';
import { anyObject, fields } from '../service/schema.ts';
import type { ServiceError } from '../service/service-error.ts';
import type { TriggerItem } from '../service/trigger.ts';
import type { TypedRecipient } from './typed-recipients.ts';

/** The service's limit for one request that triggers. */
const MOST_EVENTS = 100;

export const ADVANCED_EXAMPLE = '{"overrides": {"sendgrid": {"templateId": "d-17"}}, "tenant": "acme"}';

const IdText = z
  .string()
  .regex(/^\S{1,255}$/)
  .nullable()
  .default(null);
const Profile = z.strictObject({
  ...fields(z.string().optional(), 'firstName', 'lastName', 'email', 'phone', 'avatar', 'locale', 'timezone'),
  data: anyObject.optional(),
});

const Advanced = z.strictObject({
  actor: IdText,
  tenant: IdText,
  overrides: anyObject.optional(),
  context: z.record(z.string(), z.string()).nullable().default(null),
  profile: Profile.optional(),
});

/** A test as the form has it. */
export interface FilledTrigger {
  environment: string;
  workflow: string;
  recipients: readonly TypedRecipient[];
  payload: Payload;
  advanced: Payload;
}

export interface TriggerPlan {
  environment: string;
  workflow: string;
  /** `line`: in the form's recipients. */
  events: readonly (Pick<TriggerItem, 'subscriberId' | 'payload' | 'profile'> & { line?: number })[];
  options: TriggerItem['options'];
}

/** Rows that would send the same count once. */
export function planTrigger(filled: FilledTrigger): TriggerPlan {
  const { environment, workflow, recipients, payload: common, advanced } = filled;
  if (recipients.length > MOST_EVENTS)
    throw new InputError('subscribers', `${recipients.length} recipients, but at most ${MOST_EVENTS} at once.`);
  const { profile, ...options } = readAdvanced(advanced);
  const rows = recipients.map(({ content, ...row }) => {
    return { ...row, payload: content === null ? common : common.with(content), profile };
  });
  const sameFor = ({ subscriberId, payload }: (typeof rows)[number]) =>
    JSON.stringify([subscriberId, payload.canonical()]);
  const events = lastOfEach(rows, sameFor);
  if (events.length > 1 && profile !== null)
    throw new InputError('advanced', 'A profile is for a single subscriber only.');
  return { environment, workflow, events, options };
}

/** Whether a person sees what is sent before it is. */
export function needsPreview({ events }: TriggerPlan, { isProtected }: Environment): boolean {
  return isProtected || events.length > 1 || events.some(({ profile }) => profile !== null);
}

/** The service names events by their index: 'events.1.to' and 'events[1]: ' become 'line 2 (user-2): to' and 'line 2 (user-2): '. */
export function inWordsOfTheForm(error: ServiceError, { events }: TriggerPlan): ServiceError {
  return error.reworded((text) =>
    text.replace(/\bevents[.[](\d{1,3})\]?(\.|: |\b)/g, (path, index: string, then: string) => {
      const event = events[Number(index)];
      if (event === undefined) return path;
      return `line ${event.line ?? Number(index) + 1} (${maskedId(event.subscriberId)})${then === '' ? '' : ': '}`;
    }),
  );
}

function readAdvanced(typed: Payload): TriggerItem['options'] & Pick<TriggerItem, 'profile'> {
  const { data, error } = Advanced.safeParse(typed.content);
  if (error === undefined)
    return { ...data, overrides: typed.objectAt('overrides'), profile: typed.objectAt('profile') };
  const wrong = error.issues[0]?.path.join('.') || [...typed.members().keys()].join(', ');
  const rule = 'actor and tenant (texts), overrides, context and profile (objects)';
  throw new InputError('advanced', `The service wouldn't take ${wrong}. It takes ${rule}.`, ADVANCED_EXAMPLE);
}

export function suggestWorkflows(known: readonly Workflow[], typed: string): Workflow[] {
  const wanted = fold(typed.trim());
  return known.filter(({ identifier, name }) => fold(`${identifier} ${name}`).includes(wanted));
}

export function workflowNamed(known: readonly Workflow[], typed: string): Workflow | null {
  const wanted = fold(typed.trim());
  if (wanted === '') return null;
  const isNamed = ({ identifier, name }: Workflow) => fold(identifier) === wanted || fold(name) === wanted;
  const workflow = known.find(({ identifier }) => identifier === typed) ?? known.find(isNamed);
  return workflow ?? { id: null, identifier: typed, name: typed, variables: [] };
}
