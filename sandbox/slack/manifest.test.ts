import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { ManifestError, parseManifest, readManifest } from './manifest.ts';
import { manifestSchema } from './manifest-schema.ts';

const display_information = { name: 'App' };
const command = { command: '/app', description: 'd' };
const shortcut = { name: 'n', type: 'global', callback_id: 'c', description: 'd' };
const parse = (parts: object) => parseManifest(stringify({ display_information, ...parts }), 'a manifest');
const isTaken = (parts: object) => manifestSchema.safeParse({ display_information, ...parts }).success;
const list = <T>(count: number, item: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => item(i));
const text = (length: number) => 'a'.repeat(length);
const https = (length: number) => `https://${text(length - 'https://'.length)}`;

describe('a manifest', () => {
  test('is parsed with Slack’s defaults', () => {
    expect(parse({ features: { slash_commands: [command] }, oauth_config: { scopes: { bot: ['commands'] } } })).toEqual(
      {
        display_information,
        features: {
          app_home: { home_tab_enabled: false, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
          slash_commands: [{ ...command, usage_hint: '', should_escape: false }],
          shortcuts: [],
          unfurl_domains: [],
        },
        oauth_config: { scopes: { bot: ['commands'] } },
        settings: { event_subscriptions: { bot_events: [] }, socket_mode_enabled: false },
      },
    );
  });

  test('is refused with its file and every problem', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'manifest-'));
    const file = join(folder, 'manifest.yml');
    const wrong = {
      display_information: { name: '' },
      features: { slash_commands: [{ command: 'app' }] },
      color: 'red',
    };
    await writeFile(file, stringify(wrong));
    const refusal = await readManifest(file).catch((error: unknown) => error);
    await rm(folder, { recursive: true });
    expect(refusal).toBeInstanceOf(ManifestError);
    for (const part of [file, 'display_information.name', 'slash_commands[0].command', 'description', '"color"']) {
      expect(String(refusal)).toContain(part);
    }
  });

  test.each([
    ['a key that Slack does not know', { settings: { socket_mode: true } }],
    ['a scope that no bot has', { oauth_config: { scopes: { bot: ['chat:shout'] } } }],
    ['an event twice', { settings: { event_subscriptions: { bot_events: ['app_mention', 'app_mention'] } } }],
    ['a command without a slash', { features: { slash_commands: [{ ...command, command: 'app' }] } }],
    ['a shortcut of another kind', { features: { shortcuts: [{ ...shortcut, type: 'file' }] } }],
    ['a shortcut without words', { features: { shortcuts: [{ ...shortcut, description: '' }] } }],
    ['a color by name', { display_information: { name: 'App', background_color: 'red' } }],
    ['a domain with a scheme', { features: { unfurl_domains: ['https://example.com'] } }],
    ['an address without a scheme', { settings: { event_subscriptions: { request_url: 'example.com' } } }],
    ['interactivity that is neither on nor off', { settings: { interactivity: {} } }],
    ['no name', { display_information: {} }],
  ])('is refused with %s', (_what, parts) => {
    expect(() => parse(parts)).toThrow(ManifestError);
  });

  const display = (field: object) => ({ display_information: { name: 'App', ...field } });
  const feature = (field: object) => ({ features: field });
  const events = (field: object) => ({ settings: { event_subscriptions: field } });

  test.each<[string, number, (size: number) => object]>([
    ['characters of a name', 35, (size) => ({ display_information: { name: text(size) } })],
    ['characters of a description', 140, (size) => display({ description: text(size) })],
    ['characters of a long description', 4_000, (size) => display({ long_description: text(size) })],
    ['characters of the bot’s name', 80, (size) => feature({ bot_user: { display_name: text(size) } })],
    ['commands', 50, (size) => feature({ slash_commands: list(size, (i) => ({ ...command, command: `/app${i}` })) })],
    [
      'characters of a command',
      32,
      (size) => feature({ slash_commands: [{ ...command, command: `/${text(size - 1)}` }] }),
    ],
    [
      'characters of what it does',
      2_000,
      (size) => feature({ slash_commands: [{ ...command, description: text(size) }] }),
    ],
    ['characters of its hint', 1_000, (size) => feature({ slash_commands: [{ ...command, usage_hint: text(size) }] })],
    ['characters of its address', 3_000, (size) => feature({ slash_commands: [{ ...command, url: https(size) }] })],
    ['shortcuts', 10, (size) => feature({ shortcuts: list(size, (i) => ({ ...shortcut, callback_id: `c${i}` })) })],
    ['characters of a shortcut', 24, (size) => feature({ shortcuts: [{ ...shortcut, name: text(size) }] })],
    ['characters of its id', 255, (size) => feature({ shortcuts: [{ ...shortcut, callback_id: text(size) }] })],
    ['characters of its words', 150, (size) => feature({ shortcuts: [{ ...shortcut, description: text(size) }] })],
    ['domains to unfurl', 5, (size) => feature({ unfurl_domains: list(size, (i) => `a${i}.example.com`) })],
    ['characters of a domain', 255, (size) => feature({ unfurl_domains: [text(size)] })],
    ['characters of what an agent is', 300, (size) => feature({ agent_view: { agent_description: text(size) } })],
    [
      'prompts',
      4,
      (size) => feature({ agent_view: { suggested_prompts: list(size, () => ({ title: 't', message: 'm' })) } }),
    ],
    ['scopes', 255, (size) => ({ oauth_config: { scopes: { bot: list(size, () => 'commands') } } })],
    ['redirections', 1_000, (size) => ({ oauth_config: { redirect_urls: list(size, (i) => `https://a${i}`) } })],
    ['characters of one', 2_500, (size) => ({ oauth_config: { redirect_urls: [https(size)] } })],
    ['events', 100, (size) => events({ bot_events: list(size, (i) => `event_${i}`) })],
    ['characters of the events’ address', 3_500, (size) => events({ request_url: https(size) })],
    [
      'kinds of metadata',
      20,
      (size) => events({ metadata_subscriptions: list(size, () => ({ app_id: 'A', event_type: 't' })) }),
    ],
    [
      'characters of one kind',
      50,
      (size) => events({ metadata_subscriptions: [{ app_id: 'A', event_type: text(size) }] }),
    ],
    [
      'characters of the interactions’ address',
      3_500,
      (size) => ({ settings: { interactivity: { is_enabled: true, request_url: https(size) } } }),
    ],
    [
      'ranges of addresses',
      50,
      (size) => ({ settings: { allowed_ip_address_ranges: list(size, (i) => `10.0.0.${i}/32`) } }),
    ],
    ['domains to call', 10, (size) => ({ outgoing_domains: list(size, (i) => `a${i}.example.com`) })],
  ])('can have at most this many %s: %i', (_what, limit, parts) => {
    expect([isTaken(parts(limit)), isTaken(parts(limit + 1))]).toEqual([true, false]);
  });

  test('has a long description of at least 175 characters or none', () => {
    const long = (size: number) => isTaken(display({ long_description: text(size) }));
    expect([long(175), long(174)]).toEqual([true, false]);
  });
});
