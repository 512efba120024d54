import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { failureSummaries } from '../service/details.ts';
import { clientOf, refusalOf } from '../slack/local-slack.testing.ts';
import { directorRoutes } from './director.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';
import { openTheatre, type Theatre } from './theatre.testing.ts';
import type { FaultWindow } from './windows.ts';

const window = (from: number, to: number, begin: FaultWindow['begin']) => ({ from, to, what: 'a window', begin });
const outage =
  (provider: string): FaultWindow['begin'] =>
  (stage) =>
    stage.service.world.startOutage(provider);
const scenario = (name: string, minutes: number, ...windows: readonly FaultWindow[]): Scenario => ({
  name,
  title: name,
  description: '',
  lookFor: '',
  minutes,
  plan: () => windows,
});

const twoOutages = scenario(
  'two-outages',
  2,
  window(0, 40_000, outage('sendgrid')),
  window(20_000, 100_000, outage('fcm')),
);
const keyRefused = scenario(
  'key-refused',
  1,
  window(0, 60_000, ({ service }) => service.faults.set('all', { kind: 'status', status: 401 })),
);
const slackBroken = scenario(
  'slack-broken',
  1,
  window(0, 60_000, ({ slack }) => slack.faults.always('*', { kind: 'error', error: 'internal_error' })),
);

let theatre: Theatre;
beforeEach(async () => {
  theatre = await openTheatre([twoOutages, keyRefused, slackBroken, ...SCENARIOS]);
});
afterEach(() => theatre.close());

const outages = () => [...theatre.service.world.outages.keys()];
const playOf = (name: string) => theatre.director.state().scenarios.find((each) => each.name === name)?.play;
const playing = () => theatre.director.state().scenarios.flatMap(({ name, play }) => (play === null ? [] : [name]));

describe('a director', () => {
  test('begins and ends what a scenario plans, at the planned times', async () => {
    await theatre.director.start('two-outages');
    expect(outages()).toEqual(['sendgrid']);
    await theatre.passes(20_000);
    expect(outages()).toEqual(['sendgrid', 'fcm']);
    await theatre.passes(20_000);
    expect(outages()).toEqual(['fcm']);
    await theatre.passes(80_000);
    expect([outages(), playing()]).toEqual([[], []]);
  });

  test('ends on request everything that a scenario disturbs, and nothing else', async () => {
    await theatre.director.start('two-outages');
    await theatre.director.start('key-refused');
    await theatre.director.start('slack-broken');
    await theatre.director.stop('key-refused');
    expect(theatre.service.faults.take('listEvents')).toBeUndefined();
    expect(await refusalOf(clientOf(theatre.slack).auth.test())).toMatchObject({ error: 'internal_error' });
    await theatre.director.stop('slack-broken');
    expect(await clientOf(theatre.slack).auth.test()).toMatchObject({ ok: true });
    expect(outages()).toEqual(['sendgrid']);
  });

  test('restarts a scenario that is playing, and stops all others for “calm”, which plays alone', async () => {
    await theatre.director.start('two-outages');
    await theatre.passes(30_000);
    await theatre.director.start('two-outages', { seed: 7 });
    expect(playOf('two-outages')).toMatchObject({ elapsedMs: 0, seed: 7 });
    await theatre.director.start('calm');
    expect([outages(), playing()]).toEqual([[], ['calm']]);
  });
});

describe('the scenarios', () => {
  test.each(SCENARIOS.map(({ name, minutes }) => [name, minutes] as const))(
    'include %s, which plays to its end and leaves nothing behind',
    async (name, minutes) => {
      const { world, faults, url } = theatre.service;
      const before = JSON.stringify([world.integrations, world.accidents, world.behavior]);
      const speed = 16;
      await theatre.director.start(name, { speed });
      // A second of the clock is `speed` seconds of the scenario, and one more step goes beyond its end.
      for (let secondsLeft = minutes * 60; secondsLeft > -speed; secondsLeft -= speed) await theatre.passes(1_000);
      expect([playing(), outages(), world.bounceStorm, world.silentWorkflow]).toEqual([[], [], null, null]);
      expect([world.brokenTemplates.size, world.pace]).toEqual([0, 1]);
      expect(faults.take('listEvents')).toBeUndefined();
      expect(JSON.stringify([world.integrations, world.accidents, world.behavior])).toBe(before);
      const posted = clientOf(theatre.slack).chat.postMessage({ channel: 'C0ONCALL', text: 'well' });
      expect(await posted).toMatchObject({ ok: true });
      // The service listens again, and has nothing at this path.
      expect((await fetch(url)).status).toBe(404);
    },
  );

  test('let push and chat fail for twelve of twelve, each at one provider, and then deliver', async () => {
    const { world } = theatre.service;
    await theatre.director.start('push-and-chat-outage');
    const minutes = SCENARIOS.find(({ name }) => name === 'push-and-chat-outage')?.minutes ?? 0;
    for (let secondsLeft = minutes * 60; secondsLeft > 0; secondsLeft -= 10) await theatre.passes(10_000);
    const jobs = world.events.all.flatMap(({ event }) => event.jobs);
    for (const [type, { detail }] of failureSummaries) {
      const all = jobs.filter((job) => job.type === type);
      expect(all.map(({ status }) => status)).toEqual([...Array(12).fill('failed'), ...Array(12).fill('completed')]);
      expect(all.slice(0, 12).every((job) => job.executionDetails.at(-1)?.detail === detail)).toBe(true);
    }
  });
});

describe("the director's routes", () => {
  beforeEach(() => theatre.slack.mount('/director/', directorRoutes(theatre.director)));

  const direct = (order: object, type = 'application/json') =>
    fetch(`${theatre.slack.url}/director/order`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: JSON.stringify(order),
    });

  test('start and stop a scenario, and take JSON alone', async () => {
    await direct({ do: 'start', scenario: 'calm', speed: 4 });
    expect(playOf('calm')).toMatchObject({ speed: 4 });
    await direct({ do: 'stop', scenario: 'calm' });
    expect(playing()).toEqual([]);
    expect((await direct({ do: 'dance', scenario: 'calm' })).status).toBe(400);
    expect(await (await direct({ do: 'start', scenario: 'storm' })).text()).toContain('bounce-storm');
    expect((await direct({ do: 'start', scenario: 'calm' }, 'text/plain')).status).toBe(415);
  });
});
