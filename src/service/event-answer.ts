import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { initials, MASK } from '../lib/text/mask.ts';
import { isObject, type JsonObject } from '../lib/text/payload.ts';
import { scrubInFull, scrubValue } from '../lib/text/scrub.ts';

/** An event as the service sent it, which may contain anybody's data: it can only be read masked, for the person who asked. */
export class EventAnswer {
  readonly #content: JsonObject;

  constructor(content: JsonObject) {
    this.#content = content;
  }

  /**
   * Returns a copy with IDs and facts unchanged, names as initials, and everything else without secrets and contacts, up to 8,000 characters
   * of each text and other field. Others get their turn in between.
   */
  async masked(): Promise<JsonObject> {
    return await maskedFields(this.#content, EVENT);
  }
}

export const EventAnswerBody = z.custom<JsonObject>(isObject).transform((content) => new EventAnswer(content));

/** How a field is shown: an ID or a fact unchanged, a name as its initial, a secret never, external text whole. Any other is scrubbed. */
type Shape = 'plain' | 'name' | 'secret' | 'text' | Fields;
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

async function maskedFields(object: JsonObject, fields: Fields): Promise<JsonObject> {
  const masked: [string, unknown][] = [];
  for (const [key, value] of Object.entries(object)) {
    masked.push(...(await maskedField(key, value, Object.hasOwn(fields, key) ? fields[key] : undefined)));
  }
  return Object.fromEntries(masked);
}

/** What hasn't the type of its shape is scrubbed with its name, since some names mark secrets. */
async function maskedField(key: string, value: unknown, shape: Shape | undefined): Promise<[string, unknown][]> {
  const values = Array.isArray(value) ? value : [value];
  if (shape === 'secret') return [[key, value === null ? null : MASK]];
  if (shape === 'plain' && isPlain(value)) return [[key, value]];
  if (shape === 'name' && typeof value === 'string') return [[key, initials(value)]];
  if (typeof shape === 'object' && values.every(isObject)) {
    const masked: JsonObject[] = [];
    for (const item of values) masked.push(await maskedFields(item, shape));
    return [[key, Array.isArray(value) ? masked : masked[0]]];
  }
  await setImmediate();
  if (shape === 'text' && typeof value === 'string') return [[key, scrubInFull(value)]];
  return Object.entries(Object(scrubValue({ [key]: value })));
}

function isPlain(value: unknown): boolean {
  return Array.isArray(value) ? value.every((item) => typeof item === 'string') : typeof value !== 'object';
}
