import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../notification-service/random.ts';
import { SCENARIOS } from './scenarios.ts';

const seeds = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const scenarios = SCENARIOS.map((scenario) => [scenario.name, scenario] as const);

describe('the scenarios', () => {
  test('have these names, in this order', () => {
    expect(SCENARIOS.map(({ name }) => name)).toEqual([
      'calm',
      'provider-outage',
      'changed-integration',
      'one-tenant',
      'bounce-storm',
      'bad-template-deploy',
      'topic-fan-out',
      'service-down',
      'service-slow',
      'slack-rate-limit',
      'older-slack',
      'socket-drop',
      'lost-answers',
      'relapse',
      'second-cause',
      'flapping',
      'overlapping-mutes',
      'slack-away',
      'night',
    ]);
  });

  test.each(scenarios)(
    'include %s, which stays within its time and is the same for the same seed',
    (_, { plan, lastsMs }) => {
      fc.assert(
        fc.property(seeds, (seed) => {
          const faultWindows = plan(createRandom(seed));
          expect(plan(createRandom(seed))).toEqual(faultWindows);
          for (const { from, to } of faultWindows) {
            expect(from).toBeGreaterThanOrEqual(0);
            expect(to).toBeGreaterThanOrEqual(from);
            expect(to).toBeLessThanOrEqual(lastsMs);
          }
        }),
        { numRuns: 20 },
      );
    },
  );

  test.each(scenarios)('include %s, which has something happen from its first moment', (_, { plan }) => {
    expect(plan(createRandom(1)).some(({ from }) => from === 0)).toBe(true);
  });

  test('let SendGrid refuse an expired key by default, as the welcome and the list of things to try say', () => {
    const outage = SCENARIOS.find(({ name }) => name === 'provider-outage');
    expect(JSON.stringify(outage?.plan(createRandom(1)))).toContain('authorization grant is invalid');
  });
});
