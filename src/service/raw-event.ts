import { setImmediate } from 'node:timers/promises';
import { initials, MASK } from '../lib/text/mask.ts';
import { isObject, type JsonObject } from '../lib/text/payload.ts';
import { scrubEchoInFull, scrubValue } from '../lib/text/scrub.ts';

/** Objects and lists of the contract, which are shown field by field. */
const NESTED_FIELDS = new Set(
  'subscriber to channels topics template triggers variables subscriberVariables jobs step executionDetails'.split(' '),
);
/** IDs, which are shown as they came. */
const PLAIN_FIELDS = new Set(
  '_id _environmentId _organizationId _subscriberId transactionId _templateId _parentId _digestedNotificationId _integrationId integrationIdentifier subscriberId _topicId topicKey contextKeys identifier'.split(
    ' ',
  ),
);

/** What a provider says, which can echo the message and whom it was for. */
const SAID_FIELDS = new Set(['detail', 'raw', 'errorText', 'providerResponse']);

export async function maskedAnswer(answer: JsonObject): Promise<JsonObject> {
  const fields: [string, unknown][] = [];
  for (const [key, value] of Object.entries(answer)) fields.push(...(await maskedField(key, value)));
  return Object.fromEntries(fields);
}

async function maskedField(key: string, value: unknown): Promise<[string, unknown][]> {
  const values = [value].flat();
  if (key === 'credentials' || key === 'avatar') return [[key, value === null ? null : MASK]];
  if (PLAIN_FIELDS.has(key) && values.every((single) => typeof single !== 'object')) return [[key, value]];
  if (NESTED_FIELDS.has(key) && values.every(isObject)) {
    const masked: JsonObject[] = [];
    for (const nested of values) masked.push(await maskedAnswer(nested));
    return [[key, Array.isArray(value) ? masked : masked[0]]];
  }
  const isText = typeof value === 'string';
  if (isText && (key === 'firstName' || key === 'lastName')) return [[key, initials(value)]];
  await setImmediate();
  if (isText && SAID_FIELDS.has(key)) return [[key, scrubEchoInFull(value)]];
  // The scrubber sees the field's name, as some names mark secrets.
  return Object.entries(Object(scrubValue({ [key]: value })));
}
