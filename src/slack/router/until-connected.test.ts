import { WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api';
import { describe, expect, test } from 'vitest';
import { SlackRefusedError } from './tokens.ts';
import { type Attempts, untilConnected } from './until-connected.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

function attempts(change: Partial<Attempts> = {}): Attempts {
  const signal = new AbortController().signal;
  return { logger: silent, backoff: { firstMs: 1, longestMs: 2 }, signal, ...change };
}

function platformError(error: string): WebAPIPlatformError {
  return new WebAPIPlatformError({ ok: false, error });
}

describe('untilConnected', () => {
  test('retries until there is an answer', async () => {
    let asked = 0;
    const answer = await untilConnected(
      async () => {
        asked += 1;
        if (asked < 4) throw platformError('internal_error');
        return 'answer';
      },
      'SLACK_BOT_TOKEN',
      attempts(),
    );
    expect([answer, asked]).toEqual(['answer', 4]);
  });

  test('waits as long as a rate limit says', async () => {
    const stopping = new AbortController();
    const waits: unknown[] = [];
    const logger = {
      ...silent,
      warn: (fields: object) => {
        waits.push('waitMs' in fields && fields.waitMs);
        stopping.abort();
      },
    };
    const limited = (): Promise<never> => Promise.reject(new WebAPIRateLimitedError(30));
    expect(await untilConnected(limited, 'SLACK_BOT_TOKEN', attempts({ logger, signal: stopping.signal }))).toBeNull();
    expect(waits).toEqual([30_000]);
  });

  test.each(['invalid_auth', 'account_inactive', 'token_revoked', 'not_allowed_token_type', 'missing_scope'])(
    "doesn't retry after %s",
    async (code) => {
      const refused = untilConnected(() => Promise.reject(platformError(code)), 'SLACK_BOT_TOKEN', attempts());
      await expect(refused).rejects.toBeInstanceOf(SlackRefusedError);
      await expect(refused).rejects.toMatchObject({ code, variable: 'SLACK_BOT_TOKEN' });
    },
  );

  test("doesn't mistake any object's code for a refusal", async () => {
    const stopping = new AbortController();
    const asked = untilConnected(
      async () => {
        stopping.abort();
        throw platformError('constructor');
      },
      'SLACK_BOT_TOKEN',
      attempts({ signal: stopping.signal }),
    );
    expect(await asked).toBeNull();
  });
});
