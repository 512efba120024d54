import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { circlesIn, moduleOf, objectionTo, packageName } from './import-rules.ts';
import { ENVIRONMENT_READERS, LAYERS, MODULES, OWN_TO_A_FLOW, ROOT_FOLDERS } from './import-table.ts';
import { factsOf, importedFile, importsOf, isTestCode, parse, ROOT, sourceFiles } from './source-code.ts';

const product = sourceFiles('src').filter((file) => !isTestCode(file));
const sandbox = sourceFiles('sandbox');
const tests = sourceFiles('test');
const others = [...sourceFiles('src').filter(isTestCode), ...sourceFiles('bench'), ...sourceFiles('scripts')];
const facts = factsOf([...product, ...sandbox, ...tests, ...others]);
const importsIn = (file: string) => facts.get(file)?.imports ?? [];
const NOT_OURS = ['.git', 'node_modules', 'dist', 'data', 'coverage', '.cache'];

describe('modules', () => {
  test('include every file of the product', () => {
    expect(product.filter((file) => moduleOf(file) === undefined)).toEqual([]);
  });

  test('are in folders that the table lists', () => {
    const folders = readdirSync(ROOT, { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && !NOT_OURS.includes(entry.name),
    );
    expect(folders.map(({ name }) => name).filter((name) => !ROOT_FOLDERS.includes(name))).toEqual([]);
  });

  test('have at most 25 files directly in a folder', () => {
    const folders = [...new Set(product.map((file) => dirname(file)))];
    const filesIn = (folder: string) => product.filter((file) => dirname(file) === folder);
    expect(folders.filter((folder) => filesIn(folder).length > 25)).toEqual([]);
  });

  test('have no catch-all folders or files such as utils, common or helpers', () => {
    const isDrawer = (file: string): boolean => /(^|\/)(utils?|common|helpers?|services|misc|lib)(\/|\.ts$)/.test(file);
    expect([...product, ...sandbox, ...tests].filter(isDrawer)).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  const rows = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `src/'))
    .map((line) => line.split('|').map((cell) => cell.trim()));

  test('has a module for every file of the product', () => {
    const places = rows.flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(src\/[^`]+)`/g)].map(([, place = '']) => place),
    );
    const isIn = (file: string) => (place: string) => new RegExp(`^${place.replace('<flow>', '[^/]+')}`).test(file);
    expect(product.filter((file) => !places.some(isIn(file)))).toEqual([]);
  });

  test.each(Object.entries(LAYERS))(
    'lists the imports of each module in %s as the import table does',
    (folder, layer) => {
      const inLayer = rows.filter(([, cell = '']) => cell.startsWith(`\`${folder}`) && cell !== `\`${folder}\``);
      const listed = inLayer.map(([, cell, , imports]) => `${cell} ${imports}`);
      const modules = Object.entries(layer);
      const wanted = modules.map(([name, imports]) => `\`${folder}${name}/\` ${imports.join(', ') || '–'}`);
      expect(listed.sort()).toEqual(wanted.sort());
    },
  );
});

describe('imports', () => {
  test('follow the table', () => {
    const objections = product.flatMap((file) => importsIn(file).map((imported) => objectionTo(file, imported)));
    expect(objections.filter((objection) => objection !== null)).toEqual([]);
  });

  test('use every package and builtin of Node that the table allows, so that it allows no more', () => {
    const layerOf = (module: string): string =>
      Object.keys(LAYERS).find((folder) => `src/${module}`.startsWith(folder)) ?? module;
    const used = new Set(
      product.flatMap((file) => {
        const layer = layerOf(moduleOf(file)?.name ?? '');
        return importsIn(file).map(({ from }) => `${layer} ${from.startsWith('node:') ? from : packageName(from)}`);
      }),
    );
    const allowed = MODULES.flatMap(({ name, packages, builtins }) =>
      [...packages, ...builtins.map((builtin) => `node:${builtin}`)].map((from) => `${layerOf(name)} ${from}`),
    );
    expect([...new Set(allowed)].filter((one) => !used.has(one))).toEqual([]);
  });

  test('have no cycles', () => {
    const imported = (file: string): string[] =>
      importsIn(file).flatMap(({ from, typesOnly }) => (typesOnly ? [] : (importedFile(file, from) ?? [])));
    expect(circlesIn([...product, ...sandbox], imported)).toEqual([]);
  });

  test('of packages need only packages that are installed with the product', () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const imported = product.flatMap((file) => importsIn(file).map(({ from }) => from));
    const packages = imported.filter((from) => !from.startsWith('.') && !from.startsWith('node:')).map(packageName);
    expect([...new Set(packages)].filter((name) => !Object.hasOwn(dependencies, name))).toEqual([]);
  });

  test("of the sandbox never reach the product, so that neither hides the other's mistakes", () => {
    const reaching = sandbox
      .filter((file) => !isTestCode(file))
      .filter((file) => importsIn(file).some(({ from }) => importedFile(file, from)?.startsWith('src/')));
    expect(reaching).toEqual([]);
  });

  test('that break the table are reported with the module where the file may belong', () => {
    const refused = (file: string, from: string): string | null => objectionTo(file, { from, typesOnly: false });
    expect(refused('src/domain/failures/verdict.ts', '../../store/alerting/events.ts')).toBe(
      'src/domain/failures/verdict.ts is in domain/failures, which may not import src/store/alerting/events.ts of store/alerting. It probably belongs in store/alerting or store/root or app.',
    );
    expect(refused('src/use-cases/look-up.ts', 'undici')).toContain('It probably belongs in notification-service.');
    expect(refused('src/slack/event/message.ts', '../digest/message.ts')).toContain('may not import');
    expect(refused('src/slack/event/message.ts', './listeners.ts')).toContain('may not import');
    expect(refused('src/slack/event/listeners.ts', './message.ts')).toBeNull();
    expect(objectionTo('src/store/groups.ts', { from: '../use-cases/ports.ts', typesOnly: true })).toBeNull();
    expect(refused('src/store/groups.ts', '../use-cases/ports.ts')).toContain('may not import');
    expect(refused('src/domain/fold.ts', '../../sandbox/run.ts')).toContain('no part of the product');
  });
});

describe('files', () => {
  test.each([
    ['import type', "import type { A } from 'a';", true],
    ['imported types alone', "import { type A, type B } from 'a';", true],
    ['imported values', "import { type A, b } from 'a';", false],
    ['a module run for its effect', "import 'a';", false],
    ['a re-export', "export { b } from 'a';", false],
    ['a re-exported type', "export type { B } from 'a';", true],
    ['everything re-exported', "export * from 'a';", false],
    ['an import on demand', "const a = await import('a');", false],
    ['a type taken in place', "type A = import('a').A;", true],
  ])('are parsed for %s', (_what, source, typesOnly) => {
    expect(importsOf(parse('example.ts', source))).toEqual([{ from: 'a', typesOnly }]);
  });

  test('have no module-level let or var, so no state of their own', () => {
    expect(product.filter((file) => facts.get(file)?.hasState)).toEqual([]);
  });

  test("use `fold` for the case of names: a database's result depends on its locale", () => {
    const foldsCase = (file: string) =>
      /\b(?:lower|upper)\(\s*\w|\bilike\b/i.test(readFileSync(join(ROOT, file), 'utf8'));
    expect(product.filter((file) => file.startsWith('src/store/')).filter(foldsCase)).toEqual([]);
  });

  test('export only what another file imports', () => {
    const imported = new Set(
      [...facts].flatMap(([file, { importedNames }]) =>
        importedNames.map(({ from, name }) => `${importedFile(file, from)} ${name}`),
      ),
    );
    const unused = [...product, ...sandbox].flatMap((file) =>
      (facts.get(file)?.exportedValues ?? [])
        .filter((name) => !imported.has(`${file} ${name}`) && !imported.has(`${file} *`))
        .map((name) => `${file}: ${name}`),
    );
    expect(unused).toEqual([]);
  });

  test('export no name twice, but what each flow has of its own and what a use case asks of the service', () => {
    const places = new Map<string, string[]>();
    for (const file of product) {
      for (const name of facts.get(file)?.exportedNames ?? []) places.set(name, [...(places.get(name) ?? []), file]);
    }
    const isOwn = (name: string, files: readonly string[]) =>
      OWN_TO_A_FLOW.includes(name) && files.every((file) => file.startsWith('src/slack/'));
    const isOperation = (files: readonly string[]) =>
      files.length === 2 &&
      files.includes('src/notification-service/operations.ts') &&
      files.some((file) => file.startsWith('src/use-cases/'));
    const twice = [...places].filter(([name, files]) => files.length > 1 && !isOwn(name, files) && !isOperation(files));
    expect(twice.map(([name, files]) => `${name}: ${files.join(', ')}`)).toEqual([]);
  });

  test('have named exports only', () => {
    const all = [...product, ...sandbox, ...tests].filter((file) => !file.endsWith('.config.ts'));
    expect(all.filter((file) => facts.get(file)?.exportsDefault)).toEqual([]);
  });

  test('read the environment in one place', () => {
    expect(product.filter((file) => facts.get(file)?.readsEnvironment)).toEqual(ENVIRONMENT_READERS);
  });
});

describe('documents', () => {
  const pages = [
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'deploy/README.md',
    'sandbox/slack/README.md',
    ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`),
  ].filter((page) => page.endsWith('.md'));

  test.each(pages)('%s names only paths that exist', (page) => {
    const text = readFileSync(join(ROOT, page), 'utf8');
    const named = [...text.matchAll(/`((?:src|test|sandbox|docs|scripts|bench|deploy|\.ci)\/[\w./-]*)`/g)].map(
      ([, path = '']) => path,
    );
    const linked = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, path = '']) =>
      join(dirname(page), path),
    );
    expect([...named, ...linked].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});
