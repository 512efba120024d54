import { describe, expect, test } from 'vitest';
import { anIntegration } from './integration.testing.ts';
import { ownEnvironmentId } from './integration.ts';

const OWN = anIntegration({ serviceEnvironmentId: 'own' });
const OTHER = anIntegration({ serviceEnvironmentId: 'other' });

describe("an environment's own ID", () => {
  test('is what an event of it names, even where only integrations of another are listed', () => {
    expect(ownEnvironmentId([OWN, OTHER], 'own')).toBe('own');
    expect(ownEnvironmentId([OTHER], 'own')).toBe('own');
  });

  test('is the only one listed if no event names it', () => {
    expect(ownEnvironmentId([OWN, OWN], null)).toBe('own');
  });

  test('is unknown if no event names it and several are listed, or none', () => {
    expect(ownEnvironmentId([OWN, OTHER], null)).toBeNull();
    expect(ownEnvironmentId([], null)).toBeNull();
  });
});
