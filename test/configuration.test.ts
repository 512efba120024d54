import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ENVIRONMENT_VARIABLES } from '../src/config/environments.ts';
import { SECRETS } from '../src/config/secret-files.ts';
import { ConfigError, parseConfig, SETTINGS } from '../src/config.ts';
import { isTestCode, nodesOf, parse, ROOT, sourceFiles } from './source-code.ts';

const page = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
const documented = [...page.matchAll(/^\| `([A-Z_<>]+)` \|/gm)].map(([, variable]) => variable);
const read = [
  ...SETTINGS,
  'NOTIF_ENVIRONMENTS',
  ...[...SECRETS, 'NOTIF_<NAME>_API_KEY'].map((secret) => `${secret}_FILE`),
  ...ENVIRONMENT_VARIABLES.flatMap((key) => [`NOTIF_${key}`, `NOTIF_<NAME>_${key}`]),
];

/** A row about a variable: what it says, its default and an example. Rows of `<NAME>` are about the environment `production`. */
interface Row {
  readonly variable: string;
  readonly meaning: string;
  readonly usual: string;
  readonly example: string;
}

const rows: readonly Row[] = [...page.matchAll(/^\| `([A-Z_<>]+)` \| (.*) \| (.*) \| (.*) \|$/gm)].map(
  ([, variable = '', meaning = '', usual = '', example = '']) => ({
    variable: variable.replace('<NAME>', 'PRODUCTION'),
    meaning,
    usual,
    example,
  }),
);

const SLACK = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' };
const ONE = { ...SLACK, NOTIF_API_URL: 'https://api.example.com', NOTIF_API_KEY: 'key' };
const SEVERAL = {
  ...SLACK,
  NOTIF_ENVIRONMENTS: 'production,staging',
  NOTIF_PRODUCTION_API_URL: 'https://api.example.com',
  NOTIF_PRODUCTION_API_KEY: 'key',
  NOTIF_STAGING_API_URL: 'https://api.staging.example.com',
  NOTIF_STAGING_API_KEY: 'key',
};

/** Returns the smallest configuration in which a variable is read. */
function around(variable: string): Record<string, string> {
  return /_PRODUCTION_|_ENVIRONMENTS$/.test(variable) ? SEVERAL : ONE;
}

/** Returns what is wrong with a variable, as far as it is. */
function problemWith(variable: string, env: Record<string, string>): string | undefined {
  try {
    parseConfig(env);
    return undefined;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.find((problem) => problem.variable === variable)?.problem;
  }
}

const coded = (column: string): string | undefined => /^`([^`…]+)`(?:,|$)/.exec(column)?.[1];
const valued = (column: 'usual' | 'example') =>
  rows.flatMap((row) => {
    const value = coded(row[column]);
    return value === undefined ? [] : [{ variable: row.variable, value }];
  });
const ranges = rows.flatMap(({ variable, meaning }) => {
  const [, from, to] = /\b(\d+) to (\d+)\b/.exec(meaning) ?? [];
  return from === undefined || to === undefined ? [] : [{ variable, from: Number(from), to: Number(to) }];
});

describe('docs/configuration.md', () => {
  test('describes every variable that Notif reads, and no other', () => {
    expect([...documented].sort()).toEqual([...new Set(read)].sort());
  });

  test.each(valued('usual'))(
    'says what Notif does without $variable: the same as with $value',
    ({ variable, value }) => {
      const without = around(variable);
      expect(parseConfig({ ...without, [variable]: value })).toEqual(parseConfig(without));
    },
  );

  test.each(ranges)('says that $variable can be $from to $to', ({ variable, from, to }) => {
    const set = (value: number) => problemWith(variable, { ...around(variable), [variable]: `${value}` });
    expect([set(from), set(to)]).toEqual([undefined, undefined]);
    expect(set(from - 1)).toContain(`from ${from} to ${to}`);
    expect(set(to + 1)).toContain(`from ${from} to ${to}`);
  });

  test.each(rows.filter(({ usual }) => usual === 'needed'))('says that $variable is needed', ({ variable }) => {
    expect(problemWith(variable, { ...around(variable), [variable]: '' })).toBe('is missing');
  });

  test.each(valued('example'))('has an example of $variable that Notif accepts: $value', ({ variable, value }) => {
    expect(problemWith(variable, { ...around(variable), [variable]: value })).toBeUndefined();
  });

  test('says the default and the range of each number', () => {
    expect(ranges.map(({ variable }) => variable)).toEqual([
      ...['NOTIF_POLL_SECONDS', 'NOTIF_HORIZON_HOURS', 'NOTIF_RECHECK_SHARE', 'NOTIF_RETENTION_DAYS'],
    ]);
    expect(valued('usual').map(({ variable }) => variable)).toEqual(
      expect.arrayContaining([...ranges.map(({ variable }) => variable), 'NOTIF_GUESTS', 'PORT', 'LOG_LEVEL']),
    );
  });
});

/** Returns the names that an interface in a file declares. */
function namesIn(file: string, declared: string): string[] {
  return [...nodesOf(parse(file).program)].flatMap((node) =>
    node.type === 'TSInterfaceDeclaration' && node.id.name === declared
      ? node.body.body.flatMap((member) =>
          member.type === 'TSPropertySignature' && member.key.type === 'Identifier' ? [member.key.name] : [],
        )
      : [],
  );
}

/** Returns the configuration values that a file uses: `config.port`, `const { port } = config`, `({ port }: Config) => …`. */
function takenIn(file: string): string[] {
  return [...nodesOf(parse(file).program)].flatMap((node) => {
    if (node.type === 'MemberExpression' && node.object.type === 'Identifier' && node.object.name === 'config') {
      return node.property.type === 'Identifier' ? [node.property.name] : [];
    }
    if (node.type === 'VariableDeclarator' && node.init?.type === 'Identifier' && node.init.name === 'config') {
      return keysOf(node.id);
    }
    if (node.type === 'ObjectPattern' && JSON.stringify(node.typeAnnotation ?? null).includes('"name":"Config"')) {
      return keysOf(node);
    }
    return [];
  });
}

function keysOf(pattern: object): string[] {
  if (!('properties' in pattern) || !Array.isArray(pattern.properties)) return [];
  return pattern.properties.flatMap((property) => (property?.key?.type === 'Identifier' ? [property.key.name] : []));
}

describe('a configuration value', () => {
  test('is passed on by the wiring', () => {
    const wiring = ['src/main.ts', 'src/app.ts', 'src/config.ts', ...sourceFiles('src/app')].filter(
      (file) => !isTestCode(file),
    );
    const taken = new Set(wiring.flatMap(takenIn));
    const values = namesIn('src/config.ts', 'Config');
    expect(values).toContain('pollSeconds');
    const forgotten = values.filter((name) => !taken.has(name));
    expect(forgotten, 'read from the environment, and used by nothing: pass them on in src/app.ts or src/app/').toEqual(
      [],
    );
  });
});
