import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import type { Door } from '../src/slack/doors/door.ts';
import { doors } from '../src/slack/routes.ts';
import { COMMAND_SCOPE, METHOD_SCOPES } from '../src/slack/scopes.ts';
import { Manifest } from './manifest-limits.ts';
import { calledMethods } from './slack-calls.ts';
import { ROOT } from './source-code.ts';

const manifest = Manifest.parse(parseYaml(readFileSync(join(ROOT, 'manifest.yml'), 'utf8')));
const called = calledMethods();
// The table alone is read: no door is opened, so nothing is needed of the parts.
const table = doors(Object.create(null));

describe('manifest.yml', () => {
  it('names the commands that are answered, and no other', () => {
    const answered = table.flatMap((door) => (door.surface === 'command' ? [door.name] : []));
    expect(manifest.features.slash_commands.map(({ command }) => command)).toEqual(answered);
  });

  it('names the shortcuts that are answered, and no other', () => {
    const answered = table.flatMap((door) => (door.surface === 'shortcut' ? [`${door.type} ${door.callbackId}`] : []));
    const named = manifest.features.shortcuts.map(({ type, callback_id }) => `${type} ${callback_id}`);
    expect(named.sort()).toEqual(answered.sort());
  });

  it('asks for the scopes that the called methods need, and for no other', () => {
    const needed = new Set([COMMAND_SCOPE, ...called.flatMap((method) => METHOD_SCOPES[method] ?? [])]);
    expect([...manifest.oauth_config.scopes.bot].sort()).toEqual([...needed].sort());
  });

  it('says in docs/slack-app.md what each scope is for', () => {
    const page = readFileSync(join(ROOT, 'docs/slack-app.md'), 'utf8');
    expect(manifest.oauth_config.scopes.bot.filter((scope) => !page.includes(`| \`${scope}\` |`))).toEqual([]);
  });
});

describe('the table of scopes', () => {
  it('has every Web API method that is called, and no other', () => {
    expect(Object.keys(METHOD_SCOPES).sort()).toEqual(called);
  });
});

describe('the doors', () => {
  it('are each there once', () => {
    const names = table.map((door) => `${door.surface} ${nameOf(door)}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('have names that Slack takes: up to 255 characters', () => {
    expect(table.map(nameOf).filter((name) => name.length === 0 || name.length > 255)).toEqual([]);
  });
});

function nameOf(door: Door): string {
  switch (door.surface) {
    case 'command':
    case 'event':
      return door.name;
    case 'action':
    case 'options':
      return door.id;
    case 'shortcut':
    case 'view':
      return door.callbackId;
  }
}
