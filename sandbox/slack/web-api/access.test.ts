import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, refusalOf, startSlack } from '../local-slack.testing.ts';
import type { LocalSlack } from '../server.ts';

describe('access to the Web API', () => {
  let slack: LocalSlack;
  const refusals: string[] = [];
  beforeAll(async () => {
    slack = await startSlack({ onRefusal: (line) => refusals.push(line) });
  });
  afterAll(() => slack.close());

  test.each([
    ['no token', '', 'not_authed'],
    ['a strange token', 'xoxb-other', 'invalid_auth'],
    ['the app token', 'xapp-sandbox-app', 'not_allowed_token_type'],
  ])('refuses a bot method with %s', async (_, token, error) => {
    const call = clientOf(slack, token).chat.postMessage({ channel: 'C0ONCALL', text: 't' });
    expect(await refusalOf(call)).toMatchObject({ error });
  });

  test('answers an unknown method with unknown_method', async () => {
    expect(await refusalOf(clientOf(slack).apiCall('chat.shout'))).toMatchObject({ error: 'unknown_method' });
  });

  test('reports its own refusals with the reason, and no injected fault', async () => {
    refusals.length = 0;
    slack.faults.next('auth.test', { kind: 'error', error: 'internal_error' });
    await refusalOf(clientOf(slack).auth.test());
    await refusalOf(clientOf(slack).chat.postMessage({ channel: 'C0QUIET', text: 't' }));
    expect(refusals).toEqual(['Slack refused chat.postMessage: {"ok":false,"error":"not_in_channel"}']);
  });
});
