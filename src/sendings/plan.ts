import { z } from 'zod';
import type { Environment } from '../lib/environment.ts';
import { InputError, type ServiceError } from '../lib/errors.ts';
import { bare, fold } from '../lib/fold.ts';
import { MASK } from '../lib/text/mask.ts';
import { Payload, parseTypedObject } from '../lib/text/payload.ts';
import { maskedId } from '../lib/text/shown-id.ts';
import { eventKey, type TriggeredEvent } from '../service/event.ts';
import type { Workflow } from '../service/lists.ts';
import { anyObject, fields } from '../service/schema.ts';
import type { TriggerItem } from '../service/trigger.ts';

const MOST_EVENTS = 100;

export interface FilledTrigger {
  environment: string;
  workflow: string;
  recipients: readonly Row[];
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
  const events = [...new Map(rows.map((row) => [sameFor(row), row])).values()];
  if (events.length > 1 && profile !== null)
    throw new InputError('advanced', 'A profile is for a single subscriber only.');
  return { environment, workflow, events, options };
}

export function needsPreview({ events }: TriggerPlan, { isProtected }: Environment): boolean {
  return isProtected || events.length > 1 || events.some(({ profile }) => profile !== null);
}

/** The service names events by their index: 'events.1.to'. */
export function inWordsOfTheForm(error: ServiceError, { events }: TriggerPlan): ServiceError {
  return error.reworded((text) =>
    text.replace(/\bevents[.[](\d{1,3})\]?(\.|: |\b)/g, (path, index: string, then: string) => {
      const event = events[Number(index)];
      if (event === undefined) return path;
      return `line ${event.line ?? Number(index) + 1} (${maskedId(event.subscriberId)})${then === '' ? '' : ': '}`;
    }),
  );
}

interface Row {
  subscriberId: string;
  content: Payload | null;
  line?: number;
}

const LONGEST_ID = 255;
const ROW_EXAMPLE = 'user-1 {"orderId": "A-17"}';

/** A line has subscriber IDs, one ID and its JSON object, or a JSON object with a `subscriber`. */
export function parseRecipients(pasted: string): readonly Row[] {
  const rows = pasted.split(/\r\n?|\n/).flatMap((line, index) => {
    try {
      return readLine(line).map((row) => ({ ...row, line: index + 1 }));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new InputError('subscribers', `Line ${index + 1}: ${error.message}`, ROW_EXAMPLE);
    }
  });
  if (rows.length === 0) throw new InputError('subscribers', 'Give at least one subscriber ID.', 'user-1');
  return rows;
}

function readLine(line: string): readonly Row[] {
  const brace = line.indexOf('{');
  const ids = idsIn(brace === -1 ? line : line.slice(0, brace).replace(/[\s:=]+$/, ''));
  if (brace === -1) return ids.map((subscriberId) => ({ subscriberId, content: null }));
  const content = parseTypedObject('payload', line.slice(brace), ROW_EXAMPLE);
  const [typed, ...others] = ids;
  if (typed !== undefined && others.length === 0) return [{ subscriberId: typed, content }];
  const { subscriber } = content.content;
  if (typed !== undefined || typeof subscriber !== 'string' || subscriber.trim() === '')
    throw new InputError('subscribers', 'a payload goes with one subscriber.');
  return [{ subscriberId: checkedId(subscriber.trim()), content: content.without('subscriber') }];
}

export function lineFor(subscriberId: string): string {
  const isPlain = /^[\p{L}\p{N}][\p{L}\p{N}._@+|:-]*$/u.test(subscriberId);
  return isPlain ? subscriberId : JSON.stringify({ subscriber: subscriberId });
}

function idsIn(text: string) {
  const words = text.split(/[\s,;[\]]+/).map(bare);
  return words.filter((word) => /[\p{L}\p{N}]/u.test(word)).map(checkedId);
}

function checkedId(id: string) {
  if (!id.includes(MASK) && id.length <= LONGEST_ID) return id;
  throw new InputError('subscribers', `an ID has at most ${LONGEST_ID} characters and isn't masked (${MASK}).`);
}

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

function readAdvanced(typed: Payload): TriggerItem['options'] & Pick<TriggerItem, 'profile'> {
  const { data, error } = Advanced.safeParse(typed.content);
  if (error === undefined)
    return { ...data, overrides: typed.objectAt('overrides'), profile: typed.objectAt('profile') };
  const wrong = error.issues[0]?.path.join('.') || [...typed.members().keys()].join(', ');
  const rule = 'actor and tenant (texts), overrides, context and profile (objects)';
  throw new InputError('advanced', `The service wouldn't take ${wrong}. It takes ${rule}.`, ADVANCED_EXAMPLE);
}

export interface OriginalEvent {
  eventKey: string;
  environment: string;
  workflow: string;
  subscriberId: string;
  payload: Payload;
  advanced: Payload;
}

export function originalOf(event: TriggeredEvent, environment: string): OriginalEvent {
  const { workflow, subscriber, payload } = event;
  if (subscriber === null || workflow === null) {
    const why = subscriber === null ? 'It names no subscriber.' : 'Its workflow was deleted.';
    throw new InputError('event', `This can't be sent again. ${why}`, null, 'Send a new test: /notif trigger.');
  }
  return {
    eventKey: eventKey(event),
    environment,
    workflow: workflow.identifier,
    subscriberId: subscriber.subscriberId,
    payload,
    advanced: advancedOf(event),
  };
}

function advancedOf({ jobs, contextKeys }: Pick<TriggeredEvent, 'jobs' | 'contextKeys'>) {
  const overrides = jobs.flatMap((job) => [...job.overrides.members()]);
  const context = contextKeys.flatMap((key) => {
    const [, type, id] = /^([^:]+):(.+)$/s.exec(key) ?? [];
    return type === undefined ? [] : [[type, id] as const];
  });
  return new Payload({
    ...(overrides.length > 0 && { overrides: Object.fromEntries(overrides.reverse()) }),
    ...(context.length > 0 && { context: Object.fromEntries(context.reverse()) }),
  });
}

type Target = Pick<FilledTrigger, 'environment' | 'workflow'>;

function isSentTo(
  { environment, workflow, subscriberId }: OriginalEvent,
  target: Target,
  events: readonly { subscriberId: string }[],
) {
  const isSame = target.environment === environment && target.workflow === workflow;
  return isSame && events.every((event) => event.subscriberId === subscriberId);
}

/** Returns null for what isn't this event sent again, but a test with its contents. */
export function keyOfResent(plan: TriggerPlan, original: OriginalEvent): string | null {
  return plan.events.length === 1 && isSentTo(original, plan, plan.events) ? original.eventKey : null;
}

const ONLY_THERE =
  'What is masked is sent only where the event went: same environment, workflow, subscriber and overrides, and no profile. Type it in full.';

/** Restores masked values only for the same target: elsewhere they would reveal secrets. */
export function withOriginals(filled: FilledTrigger, original: OriginalEvent): FilledTrigger {
  const before = original.advanced.objectAt('overrides');
  const after = original.advanced.edited(filled.advanced);
  // A profile or an override may name another address.
  const isSameTarget =
    isSentTo(original, filled, filled.recipients) &&
    after.objectAt('profile') === null &&
    after.objectAt('overrides')?.canonical() === before?.canonical();
  const restored = (typed: Payload, whole: Payload) => {
    const sent = whole.edited(typed);
    if (isSameTarget || sent.equals(typed)) return sent;
    throw new InputError('payload', ONLY_THERE);
  };
  return {
    ...filled,
    payload: restored(filled.payload, original.payload),
    advanced: restored(filled.advanced, original.advanced),
  };
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
