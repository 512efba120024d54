import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { parseManifest } from './manifest.ts';

const display_information = { name: 'App' };
const command = { command: '/app', description: 'd' };
const parse = (parts: object) => parseManifest(stringify({ display_information, ...parts }), 'a manifest');

describe('a manifest', () => {
  test('is parsed with Slack’s defaults', () => {
    expect(parse({ features: { slash_commands: [command] } })).toMatchObject({
      features: {
        app_home: { home_tab_enabled: false, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
        slash_commands: [{ ...command, usage_hint: '', should_escape: false }],
        shortcuts: [],
      },
      oauth_config: { scopes: { bot: [] } },
      settings: { event_subscriptions: { bot_events: [] }, socket_mode_enabled: false },
    });
  });

  test('is refused with its source and every problem', () => {
    const wrong = { display_information: { name: '' }, features: { slash_commands: [{ command: 'app' }] }, color: 1 };
    for (const part of [
      'a manifest',
      'display_information.name',
      'slash_commands[0].command',
      'description',
      '"color"',
    ])
      expect(() => parse(wrong)).toThrow(part);
  });
});
