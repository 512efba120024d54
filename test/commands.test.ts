import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseManifest } from '../sandbox/slack/manifest.ts';
import { ENVIRONMENT_VARIABLES } from '../src/config/environments.ts';
import { SETTINGS } from '../src/config.ts';
import { FLOWS } from './declared-flows.ts';
import { documentedCommands } from './documented-commands.ts';
import { ROOT } from './source-code.ts';

const file = (name: string) => readFileSync(join(ROOT, name), 'utf8');

const commands = FLOWS.commands.map(({ word }) => word);
const mentions = (text: string, word: string) => new RegExp(`\`(?:/notif )?${word}(?![\\w-])`).test(text);

/** Commands left out of the hint of `/notif`, which Slack shows in one line. `/notif help` lists them all. */
const NOT_IN_HINT = [
  ...['messages', 'integrations', 'topic', 'watches', 'unwatch', 'mute', 'unmute'],
  ...['credentials', 'audit', 'env', 'status', 'doctor', 'ack', 'resolve', 'chart', 'note', 'history'],
  ...['changes', 'deployed', 'handover'],
];

describe('a command', () => {
  test('has one row in docs/commands.md, with its filters and who can use it', () => {
    const rows = documentedCommands().map((row) => ({ ...row, filters: row.filters.toSorted() }));
    const registered = FLOWS.commands.map((command) => ({
      ...{ word: command.word, for: command.for },
      filters: command.filters.toSorted(),
    }));
    const byWord = (one: { readonly word: string }, other: { readonly word: string }) =>
      one.word < other.word ? -1 : 1;
    expect(rows.toSorted(byWord), 'change the tables of docs/commands.md').toEqual(registered.toSorted(byWord));
  });

  test.each(['README.md', 'docs/commands.md'])('exists if %s names it', (page) => {
    const named = [...file(page).matchAll(/`\/notif ([a-z]+)/g)].map(([, word = '']) => word);
    expect(named.filter((word) => !commands.includes(word))).toEqual([]);
  });

  test('is named in CHANGELOG.md', () => {
    const missing = commands.filter((word) => !mentions(file('CHANGELOG.md'), word));
    expect(missing, 'say in CHANGELOG.md what users can do with them').toEqual([]);
  });

  test.each(['manifest.yml', 'manifest.http.yml'])(
    'is in the usage_hint of %s, or on the list of exceptions',
    (name) => {
      const [slash] = parseManifest(file(name), name).features.slash_commands;
      const hinted = `${slash?.usage_hint ?? ''}`.split('|').map((hint) => hint.trim().split(' ')[0] ?? '');
      expect(
        [...hinted, ...NOT_IN_HINT].sort(),
        'the usage_hint and NOT_IN_HINT together name each command once, and nothing else',
      ).toEqual([...commands].sort());
    },
  );
});

describe('a variable', () => {
  test('is named in CHANGELOG.md', () => {
    const changelog = file('CHANGELOG.md');
    const isNamed = (variable: string) => new RegExp(`\`${variable}(?![\\w<])`).test(changelog);
    const missing = [
      ...SETTINGS.filter((variable) => !isNamed(variable)),
      ...ENVIRONMENT_VARIABLES.filter((key) => !isNamed(`NOTIF_${key}`) && !isNamed(`NOTIF_<NAME>_${key}`)),
    ];
    expect(missing, 'say in CHANGELOG.md what users can set with them').toEqual([]);
  });
});
