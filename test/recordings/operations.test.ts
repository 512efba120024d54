import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ServiceError } from '../../src/service/service-error.ts';
import { aClient, anItem, answering, PERSON } from '../../src/service/client.testing.ts';
import type { NotificationService } from '../../src/service/operations.ts';
import { whyOf } from '../../src/service/problem-words.ts';
import { statesAfter } from '../../src/sendings/note-state.ts';
import expected from './operations.expected.json' with { type: 'json' };
import { messageMisfits } from '../../src/service/misfits.ts';

/** Answers of a real server of the API, with what Notif reads of them, and with what it must not show. */
const Recordings = z.record(
  z.string(),
  z.object({
    path: z.string(),
    status: z.number(),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.unknown(),
  }),
);
const recordings = Recordings.parse(JSON.parse(await readFile(new URL('operations.json', import.meta.url), 'utf8')));
const KEY = 'API_KEY_PROD_DUMMY';

const TWELVE = Array.from({ length: 12 }, () => anItem());

/** Plays an answer to the question that it was recorded for, or to another. */
async function play(name: string, question = '', items = TWELVE.slice(0, 1)) {
  const { path = '', status = 0, headers = {}, body } = recordings[name] ?? {};
  const server = await answering(status, typeof body === 'string' ? body : JSON.stringify(body), headers);
  const { client, log, waits } = aClient(server.url, { apiKey: KEY });
  const url = new URL(path, server.url);
  for (const [parameter, value] of new URLSearchParams(question)) url.searchParams.set(parameter, value);
  const played = await request(client, url, items).then(
    (answer) => ({ answer, words: undefined, isUnclear: false }),
    (error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
      return { answer: undefined, words: whyOf(error.problem), isUnclear: error.outcomeUnknown };
    },
  );
  server.close();
  return { ...played, waits, everything: JSON.stringify([played, log]) };
}

/** Asks, by the client, what was asked at this address: the server answers anything with the recording. */
function request(client: NotificationService, { pathname, searchParams }: URL, items: typeof TWELVE): Promise<unknown> {
  const texts = (name: string) => (searchParams.has(name) ? searchParams.getAll(name) : undefined);
  const text = (name: string) => searchParams.get(name) ?? undefined;
  const [channel, subscriberId, contextKeys] = [text('channel'), text('subscriberId'), texts('contextKeys')];
  const [intent, update] = [{ idempotencyKey: 'intent-1' }, { providerId: 'fcm', credentials: {} }];
  if (pathname.endsWith('/bulk')) return client.triggerEvents(items, intent, PERSON);
  if (pathname.endsWith('/credentials')) return client.updateCredentials('ok-1', update, intent, PERSON);
  if (pathname.endsWith('/integrations')) return client.listIntegrations(PERSON);
  if (pathname.startsWith('/v2/topics')) return client.listTopicSubscriptions('all-hands', { subscriberId }, PERSON);
  if (pathname.startsWith('/v1/notifications/')) return client.retrieveEvent('not-an-id', PERSON);
  const transactionIds = texts('transactionId') ?? [];
  if (pathname.startsWith('/v1/messages'))
    return client.listMessages({ channel, subscriberId, transactionIds, contextKeys: contextKeys ?? [] }, PERSON);
  const dates = ['after', 'before'].map((name) => [name, new Date(text(name) ?? '')] as const);
  // A recording can also have asked for an invalid date, which the client can't.
  const valid = Object.fromEntries(dates.filter(([, date]) => date.getTime() > 0));
  const filters = {
    channels: texts('channels'),
    emails: texts('emails'),
    severity: texts('severity'),
    contextKeys,
    subscriberIds: texts('subscriberIds'),
    transactionId: text('transactionId'),
    workflowIds: texts('templates') ?? [],
    topicKey: text('topicKey'),
    search: text('search'),
  };
  return client.listEvents({ ...filters, ...valid }, PERSON);
}

const recordingsLike = (pattern: RegExp) => Object.keys(recordings).filter((name) => pattern.test(name));
/** Answers to a key that is refused. */
const KEYS = recordingsLike(/^err-401/);
/** Answers that don't say whether the request was carried out. */
const UNCLEAR = ['idem-5-concurrent-b', 'idem-8-error-replay'];
/** Answers that say that there is no such thing. */
const NONE = ['err-404-event-unknown', 'err-messages-unknown-subscriber', 'err-topic-unknown'];
/** Answers of a rate limit, and the milliseconds after which the client asks again. */
const LIMITED = [
  ['err-429-list', 1_000],
  ['err-429-messages', 1_000],
  ['err-429-bulk-3', 2_000],
  ['idem-14-429-first', 2_000],
] as const;
const isFine = (name: string) => recordings[name]?.status === 200;
const CREDENTIALS = Object.keys(recordings).filter((name) => isFine(name) && recordings[name]?.path.endsWith('/credentials'));
const PAGES = recordingsLike(/^(?:ok|err)-(?:list|cloud|messages|topic|integrations)|^idem-6-get/).filter(isFine);

test('each recording is judged by one of the tests below', () => {
  const { refusals, outcomes, misfits } = expected;
  const judged = new Set([
    ...[...Object.keys(refusals), ...KEYS, ...UNCLEAR, ...NONE, ...LIMITED.map(([name]) => name)],
    ...[...Object.keys(outcomes), ...CREDENTIALS, ...PAGES, ...misfits.map(([name]) => name)],
  ]);
  expect(Object.keys(recordings).filter((name) => !judged.has(name))).toEqual([]);
});

describe('what people read of a refusal', () => {
  test.each(Object.entries(expected.refusals))('%s: %s', async (name, said) => {
    const { words, everything, isUnclear } = await play(name);
    expect(words).toEqual(said);
    expect(isUnclear).toBe(false);
    expect(everything).not.toContain('typed-by-somebody');
  });

  test.each(KEYS)('%s: nothing but that', async (name) => {
    const { words, everything } = await play(name);
    expect(words).toBe('the API key was refused (401)');
    expect(everything).not.toContain(KEY);
  });

  test.each(UNCLEAR)('%s: nobody knows what became of it', async (name) => {
    expect(await play(name)).toMatchObject({ isUnclear: true, waits: [] });
  });

  test.each(LIMITED)('%s: asked again after %i ms', async (name, ms) => {
    expect(await play(name)).toMatchObject({ words: 'its rate limit was used up (429)', waits: [ms, ms] });
  });

  test.each(NONE)('%s: there is none', async (name) => expect((await play(name)).answer).toBeNull());
});

test.each(Object.entries(expected.outcomes))(
  'each event of a trigger has its own outcome, in words: %s',
  async (name, outcomes) => {
    const results = z.array(z.object({ status: z.string(), errors: z.array(z.string()) }));
    const items = TWELVE.slice(0, outcomes.length);
    const { answer } = await play(name, '', items);
    const states = statesAfter(items, results.parse(answer));
    expect(states.map(({ state, why }) => why ?? state)).toEqual(outcomes);
  },
);

test.each(CREDENTIALS)('credentials that are held are shown masked: %s', async (name) => {
  const { answer, everything } = await play(name);
  expect(answer).toMatchObject({ unreadable: 0 });
  expect(everything).not.toMatch(/tok-ok|127\.0\.0\.1|not a url/);
});

describe('a list', () => {
  test.each(PAGES)('is read whole, and fits what was asked: %s', async (name) => {
    // An empty context means none, which nobody can ask for.
    const fits = !/integrations|context-empty/.test(name);
    expect((await play(name)).answer).toMatchObject({ unreadable: [], ...(fits && { misfits: [] }) });
  });

  test.each(expected.misfits)('leaves out what does not fit what was asked, and names the filter: %s %s', async (name, question, filter) => {
    const { answer } = await play(name, question);
    expect(answer).toMatchObject({
      items: [],
      misfits: expect.arrayContaining([{ key: expect.any(String), filters: [filter] }]),
    });
  });

  test('keeps what does not show what was asked for', () => {
    const misfits = messageMisfits({ channel: 'push', subscriberId: 'ok-1', contextKeys: ['tenant:acme'] });
    expect(misfits({ _id: 'm', subscriber: null })).toEqual([]);
    expect(misfits({ _id: 'm', channel: 'sms', contextKeys: ['tenant:acme', 'region:eu'] })).toEqual([
      'channel',
      'context',
    ]);
  });
});
