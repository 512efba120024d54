import { describe, expect, test } from 'vitest';
import { expectInForm, PRODUCTION, STAGING } from '../slack.testing.ts';
import { environmentInput, parseEnvironmentInput } from './inputs.ts';

describe("a form's environment", () => {
  test('is one of a menu, with the chosen one selected', () => {
    const blocks = environmentInput([PRODUCTION, STAGING], STAGING, 'dispatches');
    expectInForm({ blocks });
    expect(blocks).toMatchObject([{ dispatch_action: true, element: { initial_option: { value: 'staging' } } }]);
  });

  test("isn't asked for if there is only one", () => {
    expect(environmentInput([PRODUCTION], PRODUCTION, 'waits')).toEqual([]);
    expect(parseEnvironmentInput(() => null, [PRODUCTION])).toBe('production');
  });
});
