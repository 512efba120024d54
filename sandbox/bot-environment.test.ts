import { expect, test } from 'vitest';
import { SECRETS } from '../src/config/secret-files.ts';
import { SETTINGS } from '../src/config.ts';
import { botEnvironment } from './bot-environment.ts';

const settings = {
  slack: { apiUrl: 'http://127.0.0.1:1/api/', botToken: 'xoxb-sandbox', appToken: 'xapp-sandbox' },
  environments: [{ name: 'staging', label: 'Staging', url: 'http://127.0.0.1:2', apiKey: 'sandbox-key' }],
  dataFolder: '/tmp/data',
  port: 3,
};

test("the bot's environment has the local Slack and each local service", () => {
  expect(botEnvironment({ PATH: '/bin' }, settings)).toEqual({
    PATH: '/bin',
    SLACK_API_URL: 'http://127.0.0.1:1/api/',
    SLACK_BOT_TOKEN: 'xoxb-sandbox',
    SLACK_APP_TOKEN: 'xapp-sandbox',
    NOTIF_ENVIRONMENTS: 'staging',
    NOTIF_STAGING_API_URL: 'http://127.0.0.1:2',
    NOTIF_STAGING_API_KEY: 'sandbox-key',
    NOTIF_STAGING_LABEL: 'Staging',
    NOTIF_DIGEST_CHANNEL: 'C0ONCALL',
    NOTIF_POLL_SECONDS: '10',
    NOTIF_OPERATORS: 'U0ANN',
    NOTIF_DATA_DIR: '/tmp/data',
    PORT: '3',
  });
});

test("the bot's environment leaves out every variable that Notif reads", () => {
  const names = [...SETTINGS, ...SECRETS.map((name) => `${name}_FILE`), 'NOTIF_EU_API_KEY', 'NOTIF_EU_API_KEY_FILE'];
  const real = Object.fromEntries(names.map((name) => [name, `real ${name}`]));
  expect(Object.values(botEnvironment(real, settings)).join()).not.toContain('real');
});
