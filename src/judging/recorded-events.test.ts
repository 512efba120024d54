import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import expected from '../../test/recordings/events.expected.json' with { type: 'json' };
import lists from '../../test/recordings/lists.expected.json' with { type: 'json' };
import { type ExplainedCause, explainCause, failureCauses } from '../causes/explain-cause.ts';
import { anEnvironment } from '../lib/environment.testing.ts';
import { countsBy } from '../lib/group-by.ts';
import { serve } from '../lib/serve.testing.ts';
import { type FoundEvent, lookUpEvent } from '../lookups/event.ts';
import { aClient, answering, PERSON } from '../service/client.testing.ts';
import type { TriggeredEvent } from '../service/event.ts';
import { retrieveWithOwnSteps } from '../service/steps.ts';
import { judge } from './judge.ts';

/** Answers of a real server, rid of what isn't read. */
const FOLDER = new URL('../../test/recordings/events/', import.meta.url);
const NOW = new Date('2026-11-30T02:05:00Z');

const MESSAGES = new URL('../../test/recordings/messages/', import.meta.url);
const ENVIRONMENT = anEnvironment();

const ownerOf = (cause: ExplainedCause | undefined) => cause?.entry?.whose ?? 'none';

function judged(event: TriggeredEvent | null, now = NOW) {
  if (event === null) throw new Error('the recording shows no event');
  const judgment = judge(event, now);
  return outcomeOf({ judgment, causes: failureCauses(judgment, explainCause) });
}

/** Each failure that counts as its provider, whose trouble it is, and its cause. */
function outcomeOf({ judgment, causes }: Pick<FoundEvent, 'judgment' | 'causes'>) {
  const failures = judgment.failures
    .filter(({ verdict }) => verdict === 'failed' || verdict === 'partly-failed')
    .map((failure) => `${failure.provider ?? 'none'} · ${ownerOf(causes.get(failure))} · ${failure.cause.text}`);
  return { verdict: judgment.verdict, failures };
}

const recorded = (name: string) => readFileSync(new URL(`${name}.json`, FOLDER), 'utf8');

/** Looks an event up as people do, with the messages that were recorded of it. */
async function lookedUp(name: string) {
  const messages = new URL(`${name}.json`, MESSAGES);
  const sent = existsSync(messages) ? readFileSync(messages, 'utf8') : '{"data":[],"hasMore":false}';
  const { url } = await serve(({ url: path }, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(path?.startsWith('/v1/messages') ? sent : recorded(name));
  });
  const ctx = { environment: ENVIRONMENT, service: aClient(url).client, explainCause, now: () => NOW };
  const found = await lookUpEvent(ctx, { kind: 'event', id: '6b0cc7d7b44ee074cae4ebd3' });
  if ('events' in found) throw new Error('the recording shows no event');
  return outcomeOf(found);
}

describe('a recorded event', () => {
  test.each(Object.entries(expected))(
    '%s is judged as somebody who reads it would',
    async (name, { verdict, failures }) => {
      const read = await lookedUp(name);
      expect(read.verdict).toBe(verdict);
      expect(read.failures).toEqual(failures.map((failure) => expect.stringContaining(failure)));
    },
  );

  test('is in the table if there is a recording', () => {
    const names = readdirSync(FOLDER).map((file) => file.replace('.json', ''));
    const whole = names.filter(
      (name) => name !== 'analytics-stepruns-event-topic-recipient' && !name.includes('-list-'),
    );
    expect(Object.keys(expected).sort()).toEqual(whole.sort());
  });
});

/** While the service's clock was ahead, its times were in the future. */
const MOMENTS = [NOW, new Date('2026-11-30T01:10:20Z')];

test.each(Object.entries(lists))(
  'the events of the recorded list %s are judged so at any time',
  async (name, wanted) => {
    const answer = readFileSync(new URL(`../../test/recordings/lists/${name}.json`, import.meta.url), 'utf8');
    const { url } = await answering(200, answer);
    const { items, unreadable } = await aClient(url).client.listEvents({}, PERSON);
    expect(unreadable).toEqual([]);
    for (const now of MOMENTS) {
      const outcomes = items.map((event) => judged(event, now));
      const words = outcomes.map(({ verdict, failures }) => [verdict, ...failures].join(': '));
      expect(Object.fromEntries(countsBy(words, (each) => each))).toEqual(wanted);
    }
  },
);

test("the steps of a transaction's other recipients are never taken for an event's own", async () => {
  const answer = recorded('analytics-stepruns-event-topic-recipient');
  const listed = `{"data":[${JSON.stringify(JSON.parse(recorded('topic-recipient-failed')).data)}],"hasMore":false}`;
  const served = await answering(200, answer);
  const list = await answering(200, listed);
  const { client } = aClient(served.url);
  const { listEvents } = aClient(list.url).client;
  const event = await retrieveWithOwnSteps('an ID', { ...client, listEvents }, PERSON);
  expect(judged(event)).toMatchObject({ verdict: 'partly-failed', failures: [expect.stringMatching(/^nodemailer/)] });
  const emptyList = await answering(200, '{"data":[],"hasMore":false}');
  const lists = { ...client, listEvents: aClient(emptyList.url).client.listEvents };
  const unlisted = await retrieveWithOwnSteps('an ID', lists, PERSON);
  expect(unlisted).toMatchObject({ listsSteps: false, jobs: [] });
  const undated = await answering(200, answer.replaceAll('"createdAt"', '"created"'));
  expect(await retrieveWithOwnSteps('an ID', { ...aClient(undated.url).client, listEvents }, PERSON)).toMatchObject({
    createdAt: null,
    listsSteps: true,
    jobs: JSON.parse(recorded('topic-recipient-failed')).data.jobs.map(({ _id }: { _id: string }) => ({ id: _id })),
  });
});

test('each failed step of a list without details is a failure, of which nobody knows the reason', async () => {
  const served = await answering(200, recorded('analytics-traces-list-limit50'));
  const { items } = await aClient(served.url).client.listEvents({}, PERSON);
  const failures = items.flatMap((event) => judge(event, NOW).failures);
  const failedSteps = items.flatMap(({ jobs }) => jobs).filter(({ status }) => status === 'failed');
  expect(failures.filter(({ verdict }) => /failed/.test(verdict))).toHaveLength(failedSteps.length);
  expect(failures.filter(({ isUnexplained }) => isUnexplained).length).toBeGreaterThan(30);
});
