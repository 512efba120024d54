import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { parseManifest } from '../sandbox/slack/manifest.ts';
import type { Route } from '../src/slack/interactions/route.ts';
import { COMMAND_SCOPE, EVENT_SCOPES, METHOD_SCOPES, SCOPE_USES } from '../src/slack/scopes.ts';
import { FLOWS } from './declared-flows.ts';
import { calledMethods } from './slack-calls.ts';
import { ROOT } from './source-code.ts';

const yaml = readFileSync(join(ROOT, 'manifest.yml'), 'utf8');
const manifest = parseManifest(yaml, 'manifest.yml');
const called = calledMethods();
const table = FLOWS.routes;

describe('manifest.yml', () => {
  test('turns Socket Mode on', () => {
    expect(manifest.settings.socket_mode_enabled).toBe(true);
  });

  test('turns token rotation off, because Notif stores no refresh token', () => {
    expect(manifest.settings.token_rotation_enabled).toBe(false);
  });

  test('names the commands that Notif answers, and no others', () => {
    const answered = table.flatMap((route) => (route.surface === 'command' ? [route.name] : []));
    expect(manifest.features.slash_commands.map(({ command }) => command)).toEqual(answered);
  });

  test('names the shortcuts that Notif answers, and no others', () => {
    const answered = table.flatMap((route) =>
      route.surface === 'shortcut' ? [`${route.type} ${route.callbackId}`] : [],
    );
    const named = manifest.features.shortcuts.map(({ type, callback_id }) => `${type} ${callback_id}`);
    expect(named.sort()).toEqual(answered.sort());
  });

  test('subscribes to the events that Notif handles, and no others', () => {
    const answered = table.flatMap((route) => (route.surface === 'event' ? [route.name] : []));
    expect([...manifest.settings.event_subscriptions.bot_events].sort()).toEqual(answered.sort());
  });

  test("requests the scopes that Notif's methods need, and no others", () => {
    const heard = manifest.settings.event_subscriptions.bot_events.flatMap((name) => EVENT_SCOPES[name] ?? []);
    const needed = new Set([COMMAND_SCOPE, ...heard, ...called.flatMap((method) => METHOD_SCOPES[method] ?? [])]);
    expect([...manifest.oauth_config.scopes.bot].sort()).toEqual([...needed].sort());
  });

  test('has a description of each scope for doctor', () => {
    expect(Object.keys(SCOPE_USES).sort()).toEqual([...manifest.oauth_config.scopes.bot].sort());
  });

  test('says in docs/slack-app.md what each scope is for', () => {
    const page = readFileSync(join(ROOT, 'docs/slack-app.md'), 'utf8');
    expect(manifest.oauth_config.scopes.bot.filter((scope) => !page.includes(`| \`${scope}\` |`))).toEqual([]);
  });
});

describe('manifest.http.yml', () => {
  test('equals manifest.yml, but with request URLs and without Socket Mode', () => {
    const http = readFileSync(join(ROOT, 'manifest.http.yml'), 'utf8');
    expect(withoutWays(parseYaml(http))).toEqual(withoutWays(parseYaml(yaml)));
    const address = 'https://notif.example.com/slack/events';
    const { features, settings } = parseManifest(http, 'manifest.http.yml');
    expect(settings.socket_mode_enabled).toBe(false);
    expect(features.slash_commands.map(({ url }) => url)).toEqual(features.slash_commands.map(() => address));
    expect(settings.interactivity).toMatchObject({ request_url: address, message_menu_options_url: address });
    expect(settings.event_subscriptions.request_url).toBe(address);
  });
});

/** Returns a manifest without what differs between Socket Mode and HTTP. */
function withoutWays(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutWays);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !WAYS.has(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutWays(inner)]));
}

const WAYS = new Set(['url', 'request_url', 'message_menu_options_url', 'socket_mode_enabled']);

describe('the table of scopes', () => {
  test('has every subscribed event, and no others', () => {
    expect(Object.keys(EVENT_SCOPES).sort()).toEqual([...manifest.settings.event_subscriptions.bot_events].sort());
  });

  test('has every Web API method that Notif calls, and no others', () => {
    expect(Object.keys(METHOD_SCOPES).sort()).toEqual(called);
  });
});

describe('the routes', () => {
  test('are unique', () => {
    const names = table.map((route) => `${route.surface} ${nameOf(route)}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('have names that Slack accepts: up to 255 characters', () => {
    expect(table.map(nameOf).filter((name) => name.length === 0 || name.length > 255)).toEqual([]);
  });
});

function nameOf(route: Route): string {
  switch (route.surface) {
    case 'command':
    case 'event':
      return route.name;
    case 'action':
    case 'options':
      return route.id;
    case 'shortcut':
    case 'view':
      return route.callbackId;
  }
}
