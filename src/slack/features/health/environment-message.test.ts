import { describe, expect, test } from 'vitest';
import { buttonsOf, expectFit, NOON, PRODUCTION, STAGING, wordsOf } from '../../slack.testing.ts';
import { environmentMessage, environmentSetMessage } from './environment-message.ts';

const ALL = [PRODUCTION, STAGING];

describe("a channel's environment", () => {
  test('is the first environment by default', () => {
    const shown = environmentMessage(ALL, null);
    expect(wordsOf(shown)).toContain('Commands in this channel use production');
    expect(wordsOf(shown)).toContain('It is the first that is configured.');
    expect(buttonsOf(shown)).toEqual(['Use it here']);
    expectFit(shown);
  });

  test('is the chosen one, shown with the person who set it and when', () => {
    const shown = environmentMessage(ALL, { environment: 'staging', by: 'U0ANN', at: NOON });
    expect(wordsOf(shown)).toContain('Commands in this channel use staging');
    expect(wordsOf(shown)).toMatch(/Set by <@U0ANN>, .*12:00/);
    expect(buttonsOf(shown)).toEqual(['Use it here', 'Reset to default']);
    expectFit(shown);
  });

  test('is the first one, with an explanation, if the chosen one is no longer configured', () => {
    const shown = environmentMessage(ALL, { environment: 'mars', by: 'U0ANN', at: NOON });
    expect(wordsOf(shown)).toContain('Commands in this channel use production');
    expect(wordsOf(shown)).toContain('mars was set, and is no longer configured.');
  });

  test('is offered by command, with the number of those that have no room', () => {
    const many = Array.from({ length: 300 }, (_, index) => ({ ...STAGING, name: `shop-${index + 1}` }));
    const shown = environmentMessage(many, null);
    expect(wordsOf(shown)).toContain('/notif env shop-20 and 280 more, /notif env off to reset to the default');
    expectFit(shown);
  });

  test('is announced to everybody when someone sets or resets it', () => {
    expect(environmentSetMessage(STAGING, PRODUCTION, 'U0ANN').text).toContain('<@U0ANN> set');
    expect(wordsOf(environmentSetMessage(null, PRODUCTION, 'U0ANN'))).toContain(
      "unset this channel's environment. Commands here use production, the default, unless they have",
    );
  });
});
