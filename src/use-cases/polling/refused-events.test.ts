import { expect, test } from 'vitest';
import { aFailedEvent, at, NOON } from '../../domain/service/event.testing.ts';
import { keptStore } from '../../store/store.testing.ts';
import { settled } from '../model-service.testing.ts';
import { readEnvironment } from './reading.testing.ts';

const store = keptStore();

const MINUTE = 60;
const failed = (seconds: number) => settled({ ...aFailedEvent({ id: `at ${seconds}` }), createdAt: at(seconds) });

/** An environment whose events come twice a minute, and that was polled at noon. */
async function polledAtNoon() {
  const environment = readEnvironment(store());
  for (let seconds = -10; seconds < 20 * MINUTE; seconds += 30) environment.service.events.push(failed(seconds));
  await environment.pollAndRecheck(NOON);
  const healthAt = async (seconds: number) =>
    (await store().polling.health(at(seconds))).find((one) => one.environment === environment.environment) ?? null;
  return { ...environment, healthAt };
}

test('polls that can read no new event fail, though the service answers for times without one', async () => {
  const { service, pollAndRecheck, healthAt } = await polledAtNoon();
  service.poisoned = service.events.map((event) => event.at).filter((moment) => moment > NOON);
  for (let minute = 1; minute <= 5; minute += 1) await pollAndRecheck(at(minute * MINUTE));
  const problem = { kind: 'service-error', status: 500, errorId: null };
  const expected = { lastSuccessAt: at(MINUTE), failingSince: at(MINUTE), problem, checkedTo: at(5 * MINUTE) };
  expect(await healthAt(5 * MINUTE)).toMatchObject(expected);
});

test('a poll that reads a new event succeeds, whatever it sets aside', async () => {
  const { service, pollAndRecheck, healthAt } = await polledAtNoon();
  service.poisoned = [at(20)];
  await pollAndRecheck(at(MINUTE));
  expect(await healthAt(MINUTE)).toMatchObject({ lastSuccessAt: at(MINUTE), failingSince: null, problem: null });
});

test('a poll that finds nothing beside what was set aside before succeeds', async () => {
  const { service, pollAndRecheck, healthAt } = await polledAtNoon();
  service.events.splice(0, service.events.length, failed(20));
  service.poisoned = [at(20)];
  await pollAndRecheck(at(MINUTE));
  expect(await healthAt(MINUTE)).toMatchObject({ failingSince: at(MINUTE) });
  await pollAndRecheck(at(2 * MINUTE));
  expect(await healthAt(2 * MINUTE)).toMatchObject({ lastSuccessAt: at(2 * MINUTE), failingSince: null });
});
