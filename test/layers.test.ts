import { readdir, readFile } from 'node:fs/promises';
import { type Column, getTableColumns, getTableName, Table } from 'drizzle-orm';
import { type Function as FunctionNode, parseSync, Visitor } from 'oxc-parser';
import { beforeAll, expect, test } from 'vitest';
import { ORDER } from '../scripts/import-rules.ts';

/** What isn't there yet. Each number only falls. */
const LEFT = { untyped: 0, manyParameters: 2, numberedParameters: 0, secondNames: 0 };

const MOST_PARAMETERS = 4;

interface SourceFile {
  path: string;
  folder: string;
  exported: { name: string; isTyped: boolean }[];
  functions: { at: number; parameters: number }[];
  /** SQL, with the values that stand in it left out. */
  texts: string[];
  /** Variables of tables that the query builder writes. */
  written: string[];
}

type AnyFunction = Pick<FunctionNode, 'returnType' | 'params' | 'start'>;

let files: readonly SourceFile[];

interface TableInCode {
  variable: string;
  folder: string;
  /** Its columns that aren't their field in snake case. */
  secondNames: readonly string[];
}

/** By its name in the database. */
let tables: ReadonlyMap<string, TableInCode>;

beforeAll(async () => {
  const names = await readdir('src', { recursive: true });
  const sources = names.filter((name) => /(?<!\.test|\.testing)\.ts$/.test(name) && name.includes('/'));
  files = await Promise.all(sources.map(async (name) => parsed(name, await readFile(`src/${name}`, 'utf8'))));
  const found = new Map<string, TableInCode>();
  for (const name of sources.filter((source) => source.endsWith('/tables.ts'))) {
    const module: Record<string, unknown> = await import(`../src/${name}`);
    for (const [variable, table] of Object.entries(module)) {
      if (!(table instanceof Table)) continue;
      const columns = Object.entries<Column>(getTableColumns(table));
      const secondNames = columns.filter(([key, column]) => column.name !== key).map(([key]) => `${variable}.${key}`);
      found.set(getTableName(table), { variable, folder: folderOf(name), secondNames });
    }
  }
  tables = found;
});

function folderOf(name: string): string {
  return ORDER.find((folder) => name.startsWith(`${folder}/`)) ?? 'app';
}

function parsed(name: string, text: string): SourceFile {
  const { program } = parseSync(name, text);
  const file: SourceFile = {
    path: `src/${name}`,
    folder: folderOf(name),
    exported: [],
    functions: [],
    texts: [],
    written: [],
  };
  const noteFunction = ({ params, start }: AnyFunction) => {
    file.functions.push({ at: start, parameters: params.length });
  };
  new Visitor({
    FunctionDeclaration: noteFunction,
    ArrowFunctionExpression: noteFunction,
    ExportNamedDeclaration({ declaration }) {
      if (declaration?.type === 'FunctionDeclaration')
        file.exported.push({ name: declaration.id?.name ?? '', isTyped: declaration.returnType !== null });
      if (declaration?.type !== 'VariableDeclaration') return;
      for (const { id, init } of declaration.declarations) {
        if (init?.type !== 'ArrowFunctionExpression' || id.type !== 'Identifier') continue;
        const isTyped = init.returnType !== null || id.typeAnnotation != null;
        file.exported.push({ name: id.name, isTyped });
      }
    },
    TemplateLiteral({ quasis }) {
      file.texts.push(quasis.map(({ value }) => value.raw).join(' … '));
    },
    Literal({ value }) {
      if (typeof value === 'string') file.texts.push(value);
    },
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const isWrite = ['insert', 'update', 'delete'].includes(callee.property.name);
      if (isWrite && first?.type === 'Identifier') file.written.push(first.name);
    },
  }).visit(program);
  return file;
}

const place = (folder: string) => ORDER.indexOf(folder);

test('SQL names only tables of folders that are left of its own', () => {
  const ahead = [...tables].flatMap(([table, { folder }]) => {
    const isNamed = RegExp(`\\b(?:FROM|JOIN|UPDATE|INTO|USING)\\s+(?:ONLY\\s+)?${table}\\b`);
    const after = files.filter((file) => place(file.folder) < place(folder) && file.folder !== 'store');
    return after.filter(({ texts }) => texts.some((text) => isNamed.test(text))).map(({ path }) => `${path}: ${table}`);
  });
  expect(ahead).toEqual([]);
});

test('Each table is written by one folder, and by what moves, prunes and restores all of them', () => {
  const shared = [...tables].flatMap(([table, { variable }]) => {
    const isWritten = RegExp(`\\b(?:INSERT INTO|UPDATE|DELETE FROM)\\s+${table}\\b`);
    const writers = files.filter(
      ({ texts, written }) => written.includes(variable) || texts.some((text) => isWritten.test(text)),
    );
    const folders = new Set(writers.map(({ folder }) => folder).filter((folder) => folder !== 'store'));
    return folders.size > 1 ? [`${table}: ${[...folders].join(', ')}`] : [];
  });
  expect(shared).toEqual([]);
});

test('Exported functions declare what they return', () => {
  const untyped = files.flatMap(({ path, exported }) =>
    exported.filter(({ isTyped }) => !isTyped).map(({ name }) => `${path}: ${name}`),
  );
  expectAtMost(LEFT.untyped, untyped);
});

test(`A function takes at most ${MOST_PARAMETERS} parameters`, () => {
  const many = files.flatMap(({ path, functions }) =>
    functions.filter(({ parameters }) => parameters > MOST_PARAMETERS).map(({ at }) => `${path}, character ${at}`),
  );
  expectAtMost(LEFT.manyParameters, many);
});

test('SQL has its values in place, not numbered parameters', () => {
  const isNumbered = /[<>=,~?] \$\d|\$\d(?:::|, )/;
  const numbered = files.flatMap(({ path, texts }) =>
    texts.filter((text) => isNumbered.test(text)).map((text) => `${path}: ${text}`),
  );
  expectAtMost(LEFT.numberedParameters, numbered);
});

test('A column is its field in snake case', () => {
  expectAtMost(
    LEFT.secondNames,
    [...tables.values()].flatMap(({ secondNames }) => secondNames),
  );
});

/** Fails with those that there are. */
function expectAtMost(most: number, found: readonly string[]): void {
  expect(found.length <= most ? [] : found).toEqual([]);
}
