import { describe, expect, test } from 'vitest';
import { unleashChaos } from './chaos.ts';

/** `npm run test:chaos`. CHAOS_SEED repeats a story: the kill points are the same, but timing on the machine can differ a little. */
const { CHAOS_KILLS = '300', CHAOS_SERVER_KILLS = '100', CHAOS_SEED = '1' } = process.env;
const HOUR = 3_600_000;

describe.concurrent('a bot that is killed at any point', () => {
  const seed = Number(CHAOS_SEED);

  test('announces every failure once on its embedded database', { timeout: HOUR }, async () => {
    const report = await unleashChaos({ engine: 'embedded', kills: Number(CHAOS_KILLS), replicas: 1, seed });
    expect(report.discrepancies, `see ${report.kept}`).toEqual([]);
    console.log('embedded', report);
  });

  test('announces every failure once with two replicas on a server', { timeout: HOUR }, async () => {
    const kills = Number(CHAOS_SERVER_KILLS);
    const report = await unleashChaos({ engine: 'server', kills, replicas: 2, seed: seed + 1 });
    expect(report.discrepancies, `see ${report.kept}`).toEqual([]);
    console.log('server', report);
  });
});
