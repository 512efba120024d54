import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { plantedSecrets } from '../../sandbox/notification-service/planted-secrets.ts';
import type { LocalSlack } from '../../sandbox/slack/server.ts';
import { clientOf, refusalOf, startSlack } from '../../sandbox/slack/testing.ts';
import { BotLog } from './bot-log.ts';
import { GENERAL } from './person.ts';
import { failOnSurprises, SurpriseError } from './surprises.ts';

describe('failOnSurprises', () => {
  let slack: LocalSlack;
  beforeEach(async () => {
    slack = await startSlack();
  });
  afterEach(() => slack.close());

  test('accepts an ordinary message', async () => {
    await clientOf(slack).chat.postMessage({ channel: GENERAL, text: 'all is well' });
    expect(() => failOnSurprises(new BotLog(), slack, [])).not.toThrow();
  });

  test('fails on a secret in a message', async () => {
    await clientOf(slack).chat.postMessage({ channel: GENERAL, text: `call ${plantedSecrets.phone}` });
    expect(() => failOnSurprises(new BotLog(), slack, [])).toThrow(SurpriseError);
  });

  test('fails on an invalid call that Slack refused', async () => {
    await refusalOf(
      clientOf(slack).chat.postMessage({
        channel: GENERAL,
        text: 'x',
        blocks: [{ type: 'divider', block_id: 'x'.repeat(300) }],
      }),
    );
    expect(() => failOnSurprises(new BotLog(), slack, [])).toThrow('chat.postMessage was refused');
  });
});
