import { expect, test } from 'vitest';
import { expectFit, otherEnvironments, PRODUCTION, wordsOf } from '../../slack.testing.ts';
import { helpMessage } from './help-message.ts';

test('help names twenty of the other environments, and counts the rest', () => {
  const environments = [PRODUCTION, ...otherEnvironments(200)];
  const defaultEnvironment = { environment: PRODUCTION, isChannel: false };
  const permissions = { everyone: 'yes', members: 'yes', operators: 'yes' } as const;
  const help = helpMessage([], { environments, defaultEnvironment }, permissions);
  expect(wordsOf(help)).toMatch(/use production; others: env:tenant-1, .*, env:tenant-20, 180 more\.$/);
  expectFit(help);
});
