import { initials, MASK } from '../text/mask.ts';
import type { JsonObject } from '../text/payload.ts';
import { isObject } from '../text/same-json.ts';
import { scrubInFull, scrubValueInFull } from '../text/scrub.ts';
import { paced, type Steps } from '../text/steps.ts';

/**
 * The service's answer about one event, as it came: its own names, and fields that Notif knows nothing of. It may hold anything of anybody,
 * so it leaves in one way only: masked, for the person who asked.
 */
export class EventAnswer {
  readonly #content: JsonObject;

  constructor(content: JsonObject) {
    this.#content = content;
  }

  /**
   * A copy with ids and facts as they are, names as initials, and all else without secrets and contacts: of each text 50,000 characters, of each
   * other field 10,000 values and 400,000 characters. With a `pause` between the steps of the work.
   */
  async masked(pause: () => Promise<unknown>): Promise<JsonObject> {
    return Object.fromEntries(await paced(maskedFields(this.#content, EVENT), pause));
  }
}

/** How a field is shown; what isn't named in a shape is scrubbed. */
type Shape =
  /** An id or a fact: whole. */
  | 'plain'
  /** A person's name: its initial. */
  | 'name'
  /** Whatever is in it. */
  | 'secret'
  /** What somebody outside wrote, to its end. */
  | 'text'
  | Fields;
interface Fields {
  readonly [field: string]: Shape;
}

const plainOf = (fields: string): Fields =>
  Object.fromEntries(fields.split(' ').map((field) => [field, 'plain'] as const));

const PERSON: Fields = {
  ...plainOf('_id subscriberId locale timezone'),
  ...{ firstName: 'name', lastName: 'name', avatar: 'secret' },
  channels: { ...plainOf('providerId integrationIdentifier _integrationId'), credentials: 'secret' },
};
const VARIABLES = plainOf('name');

/** Contract, "Activity notification". */
const EVENT: Fields = {
  ...plainOf('_id _environmentId _organizationId _subscriberId transactionId _templateId _digestedNotificationId'),
  ...plainOf('createdAt updatedAt channels tags severity critical contextKeys'),
  ...{ subscriber: PERSON, to: PERSON, topics: plainOf('_topicId topicKey') },
  template: {
    ...plainOf('_id name origin'),
    triggers: { ...plainOf('type identifier'), variables: VARIABLES, subscriberVariables: VARIABLES },
  },
  jobs: {
    ...plainOf('_id type status providerId updatedAt scheduleExtensionsCount'),
    step: plainOf('_id _templateId _parentId name active'),
    executionDetails: {
      ...plainOf('_id status source isRetry isTest providerId createdAt'),
      ...{ detail: 'text', raw: 'text' },
    },
  },
};

function* maskedFields(object: JsonObject, fields: Fields): Steps<[string, unknown][]> {
  const masked: [string, unknown][] = [];
  for (const [key, value] of Object.entries(object)) {
    const shape = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (shape === undefined || !fits(value, shape)) masked.push(...(yield* scrubbedField(key, value)));
    else masked.push([key, yield* maskedAs(value, shape)]);
  }
  return masked;
}

function* maskedAs(value: unknown, shape: Shape): Steps<unknown> {
  if (value === null || shape === 'plain') return value;
  if (shape === 'secret') return MASK;
  if (shape === 'name') return initials(`${value}`, null);
  if (shape === 'text') return yield* scrubInFull(`${value}`);
  if (!Array.isArray(value)) return Object.fromEntries(yield* maskedFields({ ...value }, shape));
  const items: unknown[] = [];
  for (const item of value) items.push(yield* maskedAs(item, shape));
  return items;
}

/** Whether a value is what its shape is about. Anything else is scrubbed, whatever it is called. */
function fits(value: unknown, shape: Shape): boolean {
  if (value === null) return true;
  switch (shape) {
    case 'secret':
      return true;
    case 'name':
    case 'text':
      return typeof value === 'string';
    case 'plain':
      return Array.isArray(value) ? value.every((one) => typeof one === 'string') : typeof value !== 'object';
    default:
      return Array.isArray(value) ? value.every(isObject) : isObject(value);
  }
}

/** With its name, which says of some values that they are secrets. */
function* scrubbedField(key: string, value: unknown): Steps<[string, unknown][]> {
  return Object.entries((yield* scrubValueInFull({ [key]: value })) as JsonObject);
}
