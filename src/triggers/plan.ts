import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Environment } from '../lib/environment.ts';
import { InputError } from '../lib/errors.ts';
import { bare } from '../lib/fold.ts';
import { MASK } from '../lib/text/mask.ts';
import { isObject, type JsonObject, Payload, parseTypedObject } from '../lib/text/payload.ts';
import type { TriggeredEvent } from '../service/event.ts';
import type { TriggerItem, TriggerOptions } from '../service/trigger.ts';

/** Contract, operation 6: at most this many events in one request. */
const MOST_EVENTS = 100;

export interface FilledTrigger {
  readonly environment: string;
  readonly workflow: string;
  readonly rows: readonly Row[];
  readonly payload: Payload;
  readonly advanced: Payload;
}

export interface TriggerPlan extends Pick<FilledTrigger, 'environment' | 'workflow'> {
  /** 1 to 100, in the order of their rows. */
  readonly events: readonly Pick<TriggerItem, 'subscriberId' | 'payload' | 'profile'>[];
  readonly options: TriggerOptions;
  /** Given by the person, only with a single event; otherwise each event gets a new one. */
  readonly transactionId: string | null;
}

/**
 * A row's payload overrides the common one. Rows that would send the same to the same subscriber count once. Throws `InputError` for too many
 * events, and for a part of `advanced` that is wrong or only for a single event.
 */
export function planTrigger({ environment, workflow, rows, payload: common, advanced }: FilledTrigger): TriggerPlan {
  const all = rows.map(({ subscriberId, content }) => ({
    subscriberId,
    payload: content === null ? common : new Payload({ ...common.forTrigger(), ...content }),
  }));
  const distinct = new Map(all.map((event) => [contentKey([event.subscriberId, event.payload.forTrigger()]), event]));
  if (distinct.size > MOST_EVENTS)
    throw new InputError('subscribers', `${distinct.size} rows, but at most ${MOST_EVENTS} at once.`);
  const { options, transactionId, profile } = readAdvanced(advanced.forTrigger(), distinct.size);
  const events = [...distinct.values()].map((event) => ({ ...event, profile }));
  return { environment, workflow, events, options, transactionId };
}

function contentKey(content: unknown): string {
  return JSON.stringify(content, (_key, value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}

/** Returns whether somebody has to confirm a plan first: several events, a changed subscriber, a protected environment. */
export function needsPreview(
  { events }: Pick<TriggerPlan, 'events'>,
  { isProtected }: Pick<Environment, 'isProtected'>,
) {
  return isProtected || events.length > 1 || events.some(({ profile }) => profile !== null);
}

export interface Row {
  readonly subscriberId: string;
  readonly content: JsonObject | null;
}

const LONGEST_ID = 255;
const ROW_EXAMPLE = 'user-1 {"orderId": "A-17"}';

/** A line has subscriber IDs, or one ID and its JSON object, or a JSON object with a `subscriber`. Throws `InputError` about the first wrong one. */
export function parseRecipients(pasted: string): readonly Row[] {
  const rows = pasted.split(/[\r\n]+/).flatMap((line, index) => {
    try {
      return readLine(line);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new InputError('subscribers', `Line ${index + 1}: ${error.message}`, ROW_EXAMPLE);
    }
  });
  if (rows.length === 0) throw new InputError('subscribers', 'Give at least one subscriber ID.', 'user-1');
  return rows;
}

function readLine(line: string): readonly Row[] {
  const at = line.indexOf('{');
  const ids = idsIn(at === -1 ? line : line.slice(0, at));
  if (at === -1) return ids.map((subscriberId) => ({ subscriberId, content: null }));
  const { subscriber, ...content } = parseTypedObject('payload', line.slice(at), ROW_EXAMPLE);
  if (ids.length > 1) throw new InputError('subscribers', 'a payload goes with one subscriber.');
  const [typed] = ids;
  if (typed !== undefined)
    return [{ subscriberId: typed, content: subscriber === undefined ? content : { ...content, subscriber } }];
  if (typeof subscriber !== 'string' || subscriber.trim() === '')
    throw new InputError('subscribers', 'the subscriber is missing.');
  return [{ subscriberId: checked(subscriber.trim()), content }];
}

export function lineFor(subscriberId: string): string {
  const isPlain = /^[\p{L}\p{N}][\p{L}\p{N}._@+|:-]*$/u.test(subscriberId);
  return isPlain ? subscriberId : JSON.stringify({ subscriber: subscriberId });
}

/** Without a letter or a digit it's a bullet or a bracket. */
const ID = /[\p{L}\p{N}]/u;

function idsIn(text: string): string[] {
  const words = text.split(/[\s,;[\]]+/).map(bare);
  const ids = words.filter((id) => ID.test(id));
  if (ids.some((id) => /^subscribers?$/i.test(id)))
    throw new InputError('subscribers', 'tables can’t be read. Write one ID a line, or an ID and its JSON.');
  return ids.map(checked);
}

function checked(id: string): string {
  if (id.includes(MASK)) throw new InputError('subscribers', `an ID with ${MASK} in it is masked. Give the whole one.`);
  if (id.length > LONGEST_ID) throw new InputError('subscribers', `an ID has at most ${LONGEST_ID} characters.`);
  return id;
}

export const ADVANCED_EXAMPLE = '{"overrides": {"sendgrid": {"templateId": "d-17"}}, "tenant": "acme"}';

const TypedId = z.string().regex(/^\S{1,255}$/);
const AnyObject = z.custom<JsonObject>(isObject);
const text = z.string().optional();
const Profile = z.strictObject({
  ...{ firstName: text, lastName: text, email: text, phone: text, avatar: text, locale: text, timezone: text },
  data: AnyObject.optional(),
});

/** Contract, "Trigger event item". */
const Typed = z.strictObject({
  transactionId: TypedId.optional().describe('a text without spaces, at most 255 characters'),
  overrides: AnyObject.optional().describe('an object with provider IDs as keys'),
  actor: TypedId.optional().describe("a subscriber's ID"),
  tenant: TypedId.optional().describe("a tenant's ID"),
  context: z.record(z.string(), z.string()).optional().describe('an object with texts, such as {"region": "eu"}'),
  profile: Profile.optional().describe(`an object with ${Object.keys(Profile.shape).join(', ')}`),
});

/** Reads the rest of a form that sends a number of events. Throws `InputError`, which names the wrong part. */
export function readAdvanced(value: JsonObject, events: number) {
  const read = Typed.safeParse(value);
  if (!read.success) throw wrongAdvanced(read.error.issues[0]?.path[0]);
  const { transactionId, overrides, actor, tenant, context, profile } = read.data;
  if (events > 1 && (transactionId !== undefined || profile !== undefined)) {
    throw new InputError('advanced', 'transactionId and profile are for a single subscriber only.', null);
  }
  const payload = (content: JsonObject | undefined) =>
    content === undefined || Object.keys(content).length === 0 ? null : new Payload(content);
  return {
    options: { overrides: payload(overrides), actor: actor ?? null, tenant: tenant ?? null, context: context ?? null },
    transactionId: transactionId ?? null,
    profile: payload(profile),
  };
}

function wrongAdvanced(part: PropertyKey | undefined): InputError {
  const [name, schema] = Object.entries(Typed.shape).find(([field]) => field === part) ?? [];
  const what = schema
    ? `${name} must be ${schema.description}.`
    : `Only these can stand here: ${Object.keys(Typed.shape).join(', ')}.`;
  return new InputError('advanced', what, ADVANCED_EXAMPLE);
}

type Original = Omit<FilledTrigger, 'rows'> & { readonly subscriberId: string };

/** Throws `InputError` for an event that can't be sent again. */
export function originalOf({ workflow, subscriber, payload, ...event }: TriggeredEvent, environment: string): Original {
  if (subscriber === null) throw notAgain("It names no subscriber, so there's nobody to send it to.");
  if (workflow === null) throw notAgain('Its workflow was deleted, so there is nothing to send.');
  const { subscriberId } = subscriber;
  return { environment, workflow: workflow.identifier, subscriberId, payload, advanced: advancedOf(event) };
}

function notAgain(why: string): InputError {
  return new InputError('event', `This can't be sent again. ${why}`, null, 'Send a new test: /notif trigger.');
}

/** Returns an event's overrides and context. A trigger has one of each name for all steps: the first that the event has. */
function advancedOf({ jobs, contextKeys }: Pick<TriggeredEvent, 'jobs' | 'contextKeys'>): Payload {
  const overrides = jobs.flatMap((job) => Object.entries(job.overrides.forTrigger()));
  const context = contextKeys.flatMap((key) => {
    const [, type, id] = /^([^:]+):(.+)$/s.exec(key) ?? [];
    return type === undefined ? [] : [[type, id] as const];
  });
  return new Payload({
    ...(overrides.length > 0 && { overrides: firstOfEach(overrides) }),
    ...(context.length > 0 && { context: firstOfEach(context) }),
  });
}

function firstOfEach(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries([...entries].reverse());
}

/** Nobody gets to see the secrets of others by sending them elsewhere: originals go only where they went. Throws `InputError`. */
export function withOriginals(filled: FilledTrigger, original: Original, isTooLong: (whole: Payload) => boolean) {
  const { environment, workflow, subscriberId } = original;
  const isSameTarget =
    filled.environment === environment &&
    filled.workflow === workflow &&
    filled.rows.every((row) => row.subscriberId === subscriberId);
  const restored = (typed: Payload, own: Payload) => {
    const whole = typed.isEmpty && isTooLong(own) ? own : own.edited(typed);
    if (isSameTarget || isDeepStrictEqual(whole.forTrigger(), typed.forTrigger())) return whole;
    throw new InputError('payload', ONLY_THERE);
  };
  const payload = restored(filled.payload, original.payload);
  return { ...filled, payload, advanced: restored(filled.advanced, original.advanced) };
}

const ONLY_THERE =
  "What the form doesn't show of the original is sent only to the same subscriber, by the same workflow in the same environment. Type it in full.";
