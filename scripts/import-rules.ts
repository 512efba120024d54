import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

/** Writes what may import what into biome.imports.json, which biome.json extends. Usage: tsx scripts/import-rules.ts */

/** A folder of src/ imports itself and what is left of it, types included. */
export const ORDER = [
  ...['lib', 'service', 'judging', 'causes', 'store', 'people', 'audit', 'coverage', 'changes', 'incidents', 'watches'],
  ...['outbox', 'alerts', 'polling', 'lookups', 'sendings', 'reports', 'health'],
  ...['slack/kit', 'slack/workspace', 'slack/incident-view', 'slack/connection', 'slack/router', 'slack/features'],
  ...['process', 'app'],
];

const WIRING = ['**/{sandbox,test,bench,scripts}/**', '**/{app,config,main,command-line}.ts'];

/** The names of the folders that it can't import. 'slack' isn't one within 'slack/kit', whose own path has it. */
function laterThan(folder: string): string[] {
  const names = ORDER.slice(ORDER.indexOf(folder) + 1).flatMap((later) => later.split('/'));
  return [...new Set(names)].filter((name) => !folder.split('/').includes(name));
}

const folderRules = ORDER.slice(0, -1).map((folder) => ({
  files: `src/${folder}/**`,
  group: [`**/{${laterThan(folder).join(',')},_}/**`, ...WIRING],
  message: `src/${folder}/ imports only what is left of it in the order of scripts/import-rules.ts.`,
}));

/** A later rule replaces the earlier ones for the same file. */
const RULES = [
  ...folderRules,
  {
    files: 'src/slack/features/**',
    group: ['../*/**', '!../../**', '**/{process,app}/**', ...WIRING],
    message: 'A feature imports no other feature, and not what wires it up.',
  },
  {
    files: 'src/{config,process/**/*}.ts',
    group: ['**/{store,slack,app}/**', '**/{sandbox,test,bench,scripts}/**', '**/{app,main,command-line}.ts'],
    message: 'src/process/ and src/config.ts import only nouns and src/lib/.',
  },
  {
    files: 'sandbox/{director,service,slack}/**',
    group: ['**/src/**'],
    message: 'The local Slack and the local service know nothing of Notif.',
  },
];

const overrides = RULES.map(({ files, group, message }) => {
  const noRestrictedImports = { level: 'error', options: { patterns: [{ group, message }] } };
  const rules = { style: { noRestrictedImports } };
  return JSON.stringify({ includes: [files, '!**/*.{test,testing}.ts'], linter: { rules } });
});

export const IMPORT_RULES = `{ "overrides": [\n${overrides.join(',\n')}\n] }\n`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await writeFile('biome.imports.json', IMPORT_RULES);
