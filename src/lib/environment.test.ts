import { describe, expect, test } from 'vitest';
import { anEnvironment } from './environment.testing.ts';
import { dashboardLink, environmentNamed, labeled } from './environment.ts';

describe("an event's dashboard link", () => {
  const event = { id: '65a0 1', serviceEnvironmentId: 'env/1' };

  test('is below the base address', () => {
    expect(dashboardLink({ dashboardUrl: 'https://dashboard.example.com' }, event)).toBe(
      'https://dashboard.example.com/env/env%2F1/activity/workflow-runs?activityItemId=65a0%201',
    );
  });

  test.each([
    ['the base address', { dashboardUrl: null }, event],
    ["the event's ID", { dashboardUrl: 'https://example.com' }, { ...event, id: null }],
    ["the environment's ID", { dashboardUrl: 'https://example.com' }, { ...event, serviceEnvironmentId: null }],
  ])('needs %s', (_, environment, lacking) => {
    expect(dashboardLink(environment, lacking)).toBeNull();
  });
});

describe('an environment', () => {
  const production = anEnvironment();
  const europe = { ...production, name: 'staging', label: 'Europe (staging)' };
  const all = [production, europe];

  test.each(['staging', 'Staging', 'europe (STAGING)'])('is found by its name or label, without case: %s', (name) => {
    expect(environmentNamed(name, all)).toBe(europe);
  });

  test('is the first one if none is named', () => {
    expect(environmentNamed(undefined, all)).toBe(production);
    expect(environmentNamed(undefined, all.toReversed())).toBe(europe);
  });

  test('that nobody configured is refused with those that there are', () => {
    const refusal = { name: 'InputError', field: 'env', example: null };
    expect(() => environmentNamed('stagin', all)).toThrow(expect.objectContaining(refusal));
    expect(() => environmentNamed('stagin', all)).toThrow('There is no environment stagin. Did you mean staging?');
    expect(() => environmentNamed('', all)).toThrow('production, staging');
  });

  test('is shown by its label, or by its stored name once it is no longer configured', () => {
    expect(labeled('staging', all).label).toBe('Europe (staging)');
    expect(labeled('production', all).label).toBe(production.label);
    expect(labeled('removed', all)).toEqual({ label: 'removed' });
  });
});
