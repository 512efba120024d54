import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { transactionId as newTransactionId, objectId } from './random.ts';
import type { World } from './world.ts';

const FOLDER = new URL('../../test/recordings/', import.meta.url);

/** The names of the recorded events, without those of a server with an analytics store, which `Behavior` imitates. */
export const RECORDINGS: readonly string[] = readdirSync(new URL('events/', FOLDER))
  .map((file) => file.replace('.json', ''))
  .filter((name) => !name.startsWith('analytics-'));

const WithId = z.looseObject({ _id: z.string() });
const RecordedJob = WithId.extend({
  status: z.string(),
  updatedAt: z.string().optional(),
  executionDetails: z.array(WithId.extend({ createdAt: z.string() })),
});
const RecordedEvent = WithId.extend({
  createdAt: z.string(),
  updatedAt: z.string(),
  transactionId: z.string(),
  subscriber: z.looseObject({}).nullable(),
  jobs: z.array(RecordedJob),
});
const RecordedMessage = WithId.extend({
  createdAt: z.string(),
  channel: z.string(),
  providerId: z.string(),
  status: z.literal('error'),
  errorId: z.string(),
  errorText: z.string(),
});

type Recorded = z.output<typeof RecordedEvent>;

const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/**
 * Plays what a real server answered of an event, as if it was triggered now for this subscriber: each step ends as long after that as it did. Returns
 * the event's ID.
 */
export function plantRecording(world: World, name: string, subscriberId: string): string {
  const at = world.now();
  const recorded = RecordedEvent.parse(Object(read(`events/${name}.json`)).data);
  const transactionId = newTransactionId(world.random);
  const ids = [recorded, ...recorded.jobs, ...recorded.jobs.flatMap((job) => job.executionDetails)].map(
    ({ _id }) => _id,
  );
  const renewed = new Map(ids.map((id) => [id, objectId(world.random, at)]));
  // The same with new IDs and with times from now.
  const again = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value)
        .replaceAll(recorded.transactionId, transactionId)
        .replace(/\b[0-9a-f]{24}\b/g, (id) => renewed.get(id) ?? id)
        .replace(TIME, (time) => new Date(Date.parse(time) + at - Date.parse(recorded.createdAt)).toISOString()),
    );
  const event = RecordedEvent.parse(again(recorded));
  const person =
    event.subscriber === null ? { to: { subscriberId } } : { subscriber: { ...event.subscriber, subscriberId } };
  const shown = { ...event, ...person, _environmentId: world.tenancy._environmentId };
  const { _id } = event;
  world.plantEvent({
    _id,
    transactionId,
    subscriber: subscriberId,
    workflow: null,
    disguise: () => asOf(world.now(), shown),
  });
  for (const message of messagesOf(name)) {
    const recordedMessage = RecordedMessage.parse(again(message));
    const unrecorded = {
      _notificationId: _id,
      _messageTemplateId: '',
      workflow: null,
      content: '',
      payload: {},
      overrides: {},
    };
    world.addMessage({ ...recordedMessage, ...unrecorded, subscriberId, transactionId, contextKeys: [] });
  }
  return _id;
}

const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));

/** A step that hasn't ended yet is pending, with the details so far. */
function asOf(now: number, event: Recorded): object {
  const isPast = (time: string) => Date.parse(time) <= now;
  const jobs = event.jobs.map((job) => {
    const { updatedAt = event.createdAt, executionDetails: details } = job;
    if (isPast(updatedAt) && details.every(({ createdAt }) => isPast(createdAt))) return job;
    const executionDetails = details.filter(({ createdAt }) => isPast(createdAt));
    return { ...job, status: 'pending', updatedAt: event.createdAt, executionDetails };
  });
  return { ...event, jobs, updatedAt: isPast(event.updatedAt) ? event.updatedAt : event.createdAt };
}

function messagesOf(name: string): unknown[] {
  const file = `messages/${name}.json`;
  return existsSync(new URL(file, FOLDER)) ? Object(read(file)).data : [];
}
