import { describe, expect, it } from 'vitest';
import { unleashChaos } from './chaos.ts';

/**
 * In `npm test` a handful of deaths; `npm run test:chaos` asks for hundreds. CHAOS_SEED tells one story again: the points of death are
 * the same, what the machine makes of them is not quite.
 */
const { CHAOS_KILLS = '2', CHAOS_SERVER_KILLS = '1', CHAOS_SEED = '1' } = process.env;
const STORIES = 4;
const HOUR = 3_600_000;

describe.concurrent('a bot that is killed at any point', () => {
  const seed = Number(CHAOS_SEED);

  it('has announced every failure once, with its own files', { timeout: HOUR }, async () => {
    const report = await unleashChaos({ engine: 'embedded', kills: Number(CHAOS_KILLS), replicas: 1, seed });
    expect(report.discrepancies, `see ${report.kept}`).toEqual([]);
    console.log('embedded', report);
  });

  it('has announced every failure once, as two replicas on a server', { timeout: HOUR }, async () => {
    const kills = Number(CHAOS_SERVER_KILLS);
    const report = await unleashChaos({ engine: 'server', kills, replicas: 2, seed: seed + STORIES });
    expect(report.discrepancies, `see ${report.kept}`).toEqual([]);
    console.log('server', report);
  });
});
