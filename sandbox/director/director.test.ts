import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clientOf, refusalOf } from '../slack/testing.ts';
import { UnknownScenarioError } from './director.ts';
import type { Fault, FaultWindow, Scenario } from './scenario.ts';
import { SCENARIOS } from './scenarios.ts';
import { openTheatre, type Theatre } from './testing.ts';

const cause = { detail: 'Unexpected provider error', raw: '{"code":401}' };
const outage = (provider: string): Fault => ({ kind: 'outage', provider, cause, share: 1, contextKey: null });
const faultWindow = (from: number, to: number, fault: Fault): FaultWindow => ({
  from,
  to,
  what: 'a window',
  fault,
});
const scenario = (name: string, lastsMs: number, ...faultWindows: readonly FaultWindow[]): Scenario => ({
  ...{ name, title: name, description: '', lookFor: '', lastsMs, alone: false },
  plan: () => faultWindows,
});

const twoOutages = scenario(
  'two-outages',
  100_000,
  faultWindow(0, 40_000, outage('sendgrid')),
  faultWindow(20_000, 100_000, outage('fcm')),
);
const gone = scenario('gone', 60_000, faultWindow(0, 60_000, { kind: 'service gone' }));
const slow = scenario(
  'slow',
  60_000,
  faultWindow(0, 60_000, { kind: 'service fault', fault: { kind: 'status', status: 401 } }),
);
const broken = scenario(
  'broken',
  60_000,
  faultWindow(0, 60_000, { kind: 'slack fault', method: '*', fault: { kind: 'error', error: 'internal_error' } }),
);
const peace: Scenario = {
  ...scenario('peace', 60_000, faultWindow(0, 60_000, { kind: 'accidents', accidents: { bounce: 0 } })),
  alone: true,
};

const says = (line: string) => ({ do: 'types', channel: 'C0GENERAL', line }) as const;
const people = scenario(
  'people',
  60_000,
  faultWindow(0, 0, { kind: 'person', person: 'U0ANN', does: [says('first')] }),
  faultWindow(10_000, 60_000, {
    kind: 'person',
    person: 'U0ANN',
    does: [says('second'), { do: 'clicks', channel: 'C0GENERAL', message: 'a digest', label: 'Mute…' }, says('never')],
  }),
);

let theatre: Theatre;
beforeEach(async () => {
  theatre = await openTheatre([people, twoOutages, gone, slow, broken, peace, ...SCENARIOS]);
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
    await theatre.passes(60_000);
    expect(outages()).toEqual([]);
    expect(playing()).toEqual([]);
  });

  test('performs the acts of people in a scenario, and skips those that fail', async () => {
    const complaints = vi.spyOn(console, 'error').mockReturnValue();
    await theatre.director.start('people');
    await theatre.passes(60_000);
    const said = theatre.slack.workspace.as('U0BEN').sees('C0GENERAL');
    expect(said.map(({ text }) => text)).toEqual(['first', 'second']);
    expect(complaints.mock.calls.map(String)).toEqual([expect.stringContaining('no message says "a digest"')]);
    complaints.mockRestore();
  });

  test('changes the speed of a scenario and of arrivals when asked', async () => {
    await theatre.director.start('two-outages', { speed: 4 });
    expect(theatre.service.world.pace).toBe(4);
    await theatre.passes(5_000);
    expect(playOf('two-outages')).toMatchObject({ elapsedMs: 20_000, speed: 4 });
    await theatre.director.setSpeed('two-outages', 16);
    await theatre.passes(5_000);
    expect(playing()).toEqual([]);
    expect(theatre.service.world.pace).toBe(1);
  });

  test('waits until the beginning by the clock at any speed', async () => {
    await theatre.director.start('two-outages', { inMs: 25_000, speed: 4 });
    await theatre.passes(15_000);
    await theatre.director.setSpeed('two-outages', 16);
    expect(playOf('two-outages')).toMatchObject({ elapsedMs: -10_000, happening: [] });
    expect(theatre.service.world.pace).toBe(1);
    await theatre.passes(10_000);
    expect(theatre.service.world.pace).toBe(16);
    expect(playOf('two-outages')).toMatchObject({ elapsedMs: 0, happening: ['a window'] });
  });

  test('catches up after a late clock', async () => {
    await theatre.director.start('two-outages', { inMs: 1 });
    await theatre.passes(3_600_000);
    expect(outages()).toEqual([]);
    expect(playing()).toEqual([]);
  });

  test('ends on request everything that a scenario disturbs, and nothing else', async () => {
    await theatre.director.start('two-outages');
    await theatre.director.start('slow');
    await theatre.director.start('broken');
    await theatre.director.stop('slow');
    await theatre.director.stop('slow');
    expect(playing()).toEqual(['two-outages', 'broken']);
    expect(theatre.service.faults.take('listEvents')).toBeUndefined();
    expect(await refusalOf(clientOf(theatre.slack).auth.test())).toMatchObject({ error: 'internal_error' });
    await theatre.director.stop('broken');
    expect(await clientOf(theatre.slack).auth.test()).toMatchObject({ ok: true });
    expect(outages()).toEqual(['sendgrid']);
  });

  test('changes an integration and reverts the change', async () => {
    const { integrations, tenancy } = theatre.service.world;
    const names = () =>
      integrations.flatMap((one) =>
        one.providerId === 'sendgrid' && one._environmentId === tenancy._environmentId ? [one.name] : [],
      );
    const webhooks = JSON.stringify(integrations);
    await theatre.director.start('changed-integration');
    expect(names()).toEqual(['SendGrid EU']);
    await theatre.passes(5 * 60_000);
    expect(names()).toEqual(['SendGrid']);
    expect(JSON.stringify(integrations)).toBe(webhooks);
  });

  test('restarts a scenario that is playing', async () => {
    await theatre.director.start('two-outages');
    await theatre.passes(30_000);
    await theatre.director.start('two-outages', { seed: 7 });
    expect(playOf('two-outages')).toMatchObject({ elapsedMs: 0, seed: 7 });
    expect(outages()).toEqual(['sendgrid']);
  });

  test('stops all others for a scenario that plays alone', async () => {
    await theatre.director.start('two-outages');
    await theatre.director.start('peace');
    expect(playing()).toEqual(['peace']);
    expect(outages()).toEqual([]);
  });

  test('takes the service down and brings it back at the same address', async () => {
    const ask = () => fetch(`${theatre.service.url}/v1/integrations`);
    await theatre.director.start('gone');
    await expect(ask()).rejects.toThrow('fetch failed');
    await theatre.director.stop('gone');
    expect((await ask()).status).toBe(401);
  });

  test('rejects an unknown scenario and names the known ones', async () => {
    await expect(theatre.director.start('flood')).rejects.toThrow(UnknownScenarioError);
    await expect(theatre.director.stop('flood')).rejects.toThrow(/There are: people, two-outages, gone/);
  });

  test.each(SCENARIOS.map(({ name, lastsMs }) => [name, lastsMs] as const))(
    'plays %s to its end and leaves nothing behind',
    async (name, lastsMs) => {
      await theatre.director.start(name, { speed: 16 });
      for (let left = lastsMs / 16; left > 0; left -= 1_000) await theatre.passes(1_000);
      await theatre.passes(1_000);
      const { world, faults } = theatre.service;
      expect([playing(), outages(), faults.take('listEvents'), world.bounceStorm(), world.pace]).toEqual([
        [],
        [],
        undefined,
        undefined,
        1,
      ]);
      expect(await clientOf(theatre.slack).chat.postMessage({ channel: 'C0ONCALL', text: 'well' })).toMatchObject({
        ok: true,
      });
      expect((await fetch(theatre.service.url)).status).toBe(404);
    },
  );
});
