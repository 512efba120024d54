import { z } from 'zod';
import { InputError } from '../errors.ts';
import type { TriggerOptions } from '../service/query.ts';
import { type JsonObject, Payload } from '../text/payload.ts';
import { isObject } from '../text/same-json.ts';

interface Advanced {
  readonly options: TriggerOptions;
  /** Given by the person, for a single event. */
  readonly transactionId: string | null;
  /** Updates the single subscriber at the service; null leaves it unchanged. */
  readonly profile: Payload | null;
}

export const ADVANCED_EXAMPLE = '{"overrides": {"sendgrid": {"templateId": "d-17"}}, "tenant": "acme"}';

const Id = z.string().regex(/^\S{1,255}$/);
const AnyObject = z.custom<JsonObject>(isObject);
const text = z.string().optional();
const Profile = z.strictObject({
  ...{ firstName: text, lastName: text, email: text, phone: text, avatar: text, locale: text, timezone: text },
  data: AnyObject.optional(),
});

/** Contract, "Trigger event item". */
const Typed = z.strictObject({
  transactionId: Id.optional().describe('a text without spaces, at most 255 characters'),
  overrides: AnyObject.optional().describe('an object with provider IDs as keys'),
  actor: Id.optional().describe("a subscriber's ID"),
  tenant: Id.optional().describe("a tenant's ID"),
  context: z.record(z.string(), z.string()).optional().describe('an object with texts, such as {"region": "eu"}'),
  profile: Profile.optional().describe(`an object with ${Object.keys(Profile.shape).join(', ')}`),
});

/** Reads the rest of a form that sends a number of events. Throws `InputError`, which names the wrong part. */
export function readAdvanced(value: JsonObject, events: number): Advanced {
  const read = Typed.safeParse(value);
  if (!read.success) throw wrong(read.error.issues[0]?.path[0]);
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

function wrong(part: PropertyKey | undefined): InputError {
  const [name, schema] = Object.entries(Typed.shape).find(([one]) => one === part) ?? [];
  const what = schema
    ? `${name} must be ${schema.description}.`
    : `Only these can stand here: ${Object.keys(Typed.shape).join(', ')}.`;
  return new InputError('advanced', what, ADVANCED_EXAMPLE);
}
