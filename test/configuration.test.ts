import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ENVIRONMENT_VARIABLES } from '../src/config/environments.ts';
import { SECRETS } from '../src/config/secret-files.ts';
import { SETTINGS } from '../src/config.ts';
import { isTestCode, nodesOf, parse, ROOT, sourceFiles } from './source-code.ts';

const page = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
const documented = [...page.matchAll(/^\| `([A-Z_<>]+)` \|/gm)].map(([, variable]) => variable);
const read = [
  ...SETTINGS,
  'NOTIF_ENVIRONMENTS',
  ...[...SECRETS, 'NOTIF_<NAME>_API_KEY'].map((secret) => `${secret}_FILE`),
  ...ENVIRONMENT_VARIABLES.flatMap((key) => [`NOTIF_${key}`, `NOTIF_<NAME>_${key}`]),
];

describe('docs/configuration.md', () => {
  test('describes every variable that Notif reads, and no other', () => {
    expect([...documented].sort()).toEqual([...new Set(read)].sort());
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
