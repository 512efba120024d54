import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseManifest } from '../sandbox/slack/manifest.ts';
import { NEEDED_SCOPES } from '../src/slack/connection/connection.ts';
import { FLOWS } from './declared-flows.ts';

describe.each(['manifest.yml', 'manifest.http.yml'])('%s', (file) => {
  const { features, oauth_config, settings } = parseManifest(readFileSync(file, 'utf8'), file);
  const scopes = [...oauth_config.scopes.bot].sort();

  test('names the commands, shortcuts and events that Notif answers, and no others', () => {
    const answered = FLOWS.routes.flatMap((route) => {
      if (route.surface === 'shortcut') return [`${route.type} ${route.id}`];
      return ['command', 'message', 'home'].includes(route.surface) ? [route.id] : [];
    });
    const { bot_events } = settings.event_subscriptions;
    const named = [
      ...features.slash_commands.map(({ command }) => command),
      ...features.shortcuts.map(({ type, callback_id }) => `${type} ${callback_id}`),
      ...bot_events.filter((event) => event !== 'channel_id_changed'),
    ];
    expect(named.sort()).toEqual(answered.sort());
    // Slack sends it by itself: no route answers it.
    expect(bot_events).toContain('channel_id_changed');
  });

  test('has a Home and a Messages tab, and gets mentions in commands with their IDs', () => {
    expect(features).toMatchObject({
      app_home: { home_tab_enabled: true, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      slash_commands: [{ should_escape: true }],
    });
  });

  test('requests the scopes that doctor checks, and no others', () => {
    expect(NEEDED_SCOPES.toSorted()).toEqual(scopes);
  });
});
