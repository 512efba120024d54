import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failed } from '../sandbox/service/examples.ts';
import { startSlack } from '../sandbox/slack/local-slack.testing.ts';
import type { LocalSlack } from '../sandbox/slack/server.ts';
import type { Shape } from '../sandbox/slack/validate/shapes.ts';
import { checkShapes } from '../scripts/check-slack/check-shapes.ts';
import { type DrawnBy, findDrawers } from '../scripts/check-slack/drawn-by.ts';
import { openWorld, sharedWorld } from './support/world.ts';

describe('npm run check:slack', () => {
  const world = sharedWorld(() => openWorld());
  let otherSlack: LocalSlack;
  let drawnBy: DrawnBy;
  let shapes: readonly Shape[];
  /** The pauses between requests, of all tests. */
  const waits: number[] = [];
  beforeAll(async () => {
    const { ann, service } = world;
    otherSlack = await startSlack();
    drawnBy = await findDrawers(fileURLToPath(new URL('..', import.meta.url)));
    service.world.plantEvent(failed('email', { subscriber: 'user-1' }));
    for (const word of ['doctor', 'events', 'chart', 'chart', 'help']) await ann.asks(`/notif ${word}`);
    await ann.types('/notif trigger');
    await ann.seesModal('Send a test');
    await ann.isOffered('trigger.workflow', 'a');
    await ann.closes();
    shapes = world.slack.shapes();
  });
  afterAll(() => otherSlack.close());

  const check = (all: readonly Shape[]) => {
    const sleep = async (ms: number) => void waits.push(ms);
    return checkShapes(all, { apiUrl: otherSlack.apiUrl, drawnBy, sleep });
  };

  test('sends each structure of messages, modals and options once, slowly, and the local Slack accepts all', async () => {
    expect(await check(shapes)).toEqual([]);
    expect(new Set(shapes.map((shape) => shape.in))).toEqual(new Set(['blocks', 'view', 'suggestions']));
    expect(otherSlack.calls.of('blocks.validate')).toHaveLength(shapes.length);
    expect(waits).toEqual(shapes.map(() => 1_000));
  });

  test('names the file that draws a wrong block, and waits for a rate limit', async () => {
    const [doctor] = shapes.filter(({ payload }) => JSON.stringify(payload).includes('checks passed'));
    const [first, ...rest] = Array.isArray(doctor?.payload) ? doctor.payload : [];
    otherSlack.faults.next('blocks.validate', { kind: 'rate-limited', retryAfterSeconds: 7 });
    const planted: Shape = { in: 'blocks', payload: [first, { type: 'section' }, ...rest] };
    const file = 'src/slack/features/health/doctor.ts';
    const message = 'Slack: missing required field: text';
    expect(await check([planted])).toEqual([{ pointer: '/1', message, file, rule: null }]);
    expect(waits.slice(-2)).toEqual([7_000, 1_000]);
  });

  test('names the rule to correct where Slack judges otherwise than the local validator', async () => {
    const end = otherSlack.faults.refuseBlocks('data_visualization');
    const found = await check(shapes);
    end();
    expect(found).not.toEqual([]);
    const chart = { file: 'src/slack/features/failures/chart.ts', rule: 'data_visualization' };
    expect(found).toMatchObject(found.map(() => chart));
  });

  test('fails if an answer says nothing', async () => {
    const end = otherSlack.faults.always('blocks.validate', { kind: 'error', error: 'unknown_method' });
    await expect(check(shapes)).rejects.toThrow('answered unknown_method, which says nothing');
    end();
  });
});
