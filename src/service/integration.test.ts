import { expect, test } from 'vitest';
import { anIntegration } from './integration.testing.ts';
import { ownEnvironmentId } from './integration.ts';

const OWN = anIntegration({ serviceEnvironmentId: 'own' });
const OTHER = anIntegration({ serviceEnvironmentId: 'other' });

test("an environment's own ID is what an event of it names, else the only one listed", () => {
  expect(ownEnvironmentId([OTHER], 'own')).toBe('own');
  expect(ownEnvironmentId([OWN, OWN], null)).toBe('own');
  expect(ownEnvironmentId([OWN, OTHER], null)).toBeNull();
});
