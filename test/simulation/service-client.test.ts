import { expect, test } from 'vitest';
import { createDifficultService } from './difficult-service.ts';
import { createServiceClient } from './service-client.ts';
import { drawStory } from './story.ts';
import { createVirtualTime } from './virtual-time.ts';
import { createWorld } from './world.ts';

test("holds a waiting request back for longer if another request's 429 names a later time meanwhile", async () => {
  const world = createWorld(2, ['rate-limit'], 'brief');
  const story = drawStory(world);
  const time = createVirtualTime(story.start);
  const service = createDifficultService(world, story);
  const { signal } = new AbortController();
  const client = createServiceClient({ service, time, environment: 'production', now: time.now, life: signal });
  const answers: unknown[] = [];
  const ask = () => void client.retrieveEvent('unknown', { who: 'poller' }).then((answer) => answers.push(answer));
  // The last of the first seven is answered with a 429 after 120 ms, the eighth after 210 ms with one that names a later time.
  for (const afterMs of [0, 0, 0, 0, 0, 0, 0, 90, 150]) time.at(story.start + afterMs, ask);
  await time.runUntil(story.start + 30_000);
  expect(answers).toHaveLength(9);
  expect(service.requests).toHaveLength(11);
  expect(service.impatient()).toBe(0);
});
