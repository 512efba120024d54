import { describe, expect, test } from 'vitest';
import { buttonsOf, expectFit, NOON, PRODUCTION, STAGING, wordsOf } from '../slack.testing.ts';
import { environmentMessage, environmentSetMessage, parseUse } from './message.ts';

const ALL = [PRODUCTION, STAGING];

describe("a channel's environment", () => {
  test('is the first where nobody set one', () => {
    const shown = environmentMessage(ALL, null);
    expect(wordsOf(shown)).toContain('Commands in this channel use production');
    expect(wordsOf(shown)).toContain('It is the first that is configured.');
    expect(buttonsOf(shown)).toEqual(['Use it here']);
    expectFit(shown);
  });

  test('is what was set, with who did and when', () => {
    const shown = environmentMessage(ALL, { environment: 'staging', by: 'U0ANN', at: NOON });
    expect(wordsOf(shown)).toContain('Commands in this channel use staging');
    expect(wordsOf(shown)).toMatch(/Set by <@U0ANN>, .*12:00/);
    expect(buttonsOf(shown)).toEqual(['Use it here', 'Reset to default']);
    expectFit(shown);
  });

  test('is the first where the one that was set is no longer configured, which is said', () => {
    const shown = environmentMessage(ALL, { environment: 'mars', by: 'U0ANN', at: NOON });
    expect(wordsOf(shown)).toContain('Commands in this channel use production');
    expect(wordsOf(shown)).toContain('mars was set, and is no longer configured.');
  });

  test('is announced to everybody when somebody sets or unsets it', () => {
    expect(environmentSetMessage(STAGING, PRODUCTION, 'U0ANN').text).toContain('<@U0ANN> set');
    expect(wordsOf(environmentSetMessage(null, PRODUCTION, 'U0ANN'))).toContain(
      "unset this channel's environment. Commands here use production, the default, unless they have",
    );
  });

  test('is not guessed from a button of another version', () => {
    expect(parseUse('v0|staging')).toBeNull();
    expect(parseUse('v1|staging')).toBe('staging');
  });
});
