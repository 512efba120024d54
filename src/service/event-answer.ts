import { initials, MASK } from '../lib/text/mask.ts';
import { isObject, type JsonObject } from '../lib/text/payload.ts';
import { paced, type Steps, scrubInFull, scrubValueInFull } from '../lib/text/scrub.ts';

/** As the service sent it, which may contain anybody's data: it can only be read masked, for the person who asked. */
export class EventAnswer {
  readonly #content: JsonObject;

  constructor(content: JsonObject) {
    this.#content = content;
  }

  /**
   * Returns a copy with IDs and facts unchanged, names as initials, and everything else without secrets and contacts: up to 50,000
   * characters of each text, and up to 10,000 values and 400,000 characters of each other field. Awaits `pause` between the steps of the
   * work.
   */
  async masked(pause: () => Promise<unknown>): Promise<JsonObject> {
    return Object.fromEntries(await paced(maskedFields(this.#content, EVENT), pause));
  }
}

/** How a field is shown; fields not in a shape are scrubbed. */
type Shape =
  /** An ID or a fact: unchanged. */
  | 'plain'
  /** A person's name: its initial. */
  | 'name'
  /** Always hidden. */
  | 'secret'
  /** External text, complete. */
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

/** Returns whether a value has the type of its shape. Anything else is scrubbed, whatever its name. */
function fits(value: unknown, shape: Shape): boolean {
  if (value === null) return true;
  switch (shape) {
    case 'secret':
      return true;
    case 'name':
    case 'text':
      return typeof value === 'string';
    case 'plain':
      return Array.isArray(value) ? value.every((item) => typeof item === 'string') : typeof value !== 'object';
    default:
      return Array.isArray(value) ? value.every(isObject) : isObject(value);
  }
}

/** Scrubs a field with its name, since some names mark secrets. */
function* scrubbedField(key: string, value: unknown): Steps<[string, unknown][]> {
  return Object.entries((yield* scrubValueInFull({ [key]: value })) as JsonObject);
}
