import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalSlack } from '../server.ts';
import { startSlack } from '../testing.ts';

describe('text that people type in messages', () => {
  let slack: LocalSlack;
  beforeAll(async () => {
    slack = await startSlack();
  });
  afterAll(() => slack.close());

  const stored = async (typed: string) => {
    const ben = slack.workspace.as('U0BEN');
    await ben.says('C0QUIET', typed);
    return ben.sees('C0QUIET').at(-1)?.text;
  };

  test.each([
    ['@Notif txn_1', '<@U0BOT> txn_1'],
    ['ask @notif.', 'ask <@U0BOT>.'],
    ['@ann, @oncall: look', '<@U0ANN>, <!subteam^S0ONCALL|@oncall>: look'],
    ['@here in #oncall', '<!here> in <#C0ONCALL|oncall>'],
    ['@nobody #nowhere', '@nobody #nowhere'],
    ['ann@example.com', '<mailto:ann@example.com|ann@example.com>'],
    ['see https://example.com/a?b=1&c=2', 'see <https://example.com/a?b=1&amp;c=2>'],
    ['a < b & c > d', 'a &lt; b &amp; c &gt; d'],
    ['`@Notif <x>` stays', '`@Notif &lt;x&gt;` stays'],
    ['<@U0BOT>', '&lt;@U0BOT&gt;'],
  ])('is converted from %s to %s', async (typed, expected) => {
    expect(await stored(typed)).toBe(expected);
  });

  test('can’t be a reference typed by hand', async () => {
    const typed = fc.string({
      unit: fc.constantFrom('<', '>', '&', '|', '!', '^', '#', '`', 'U0ANN', ' '),
      minLength: 1,
    });
    await fc.assert(
      fc.asyncProperty(typed, async (text) => {
        expect(await stored(text)).not.toMatch(/[<>]/);
      }),
      { numRuns: 50 },
    );
  });
});
