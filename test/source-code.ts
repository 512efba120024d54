import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Node, type ParseResult, parseSync } from 'oxc-parser';

export const ROOT = normalize(fileURLToPath(new URL('..', import.meta.url)));

/** One import or re-export, as written. */
export interface Import {
  readonly from: string;
  readonly typesOnly: boolean;
}

/** Returns every TypeScript file below a folder, as paths from the repository's root. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .sort();
}

/** Returns whether a file is a test or used only by tests, and so no part of the product. */
export function isTestCode(file: string): boolean {
  return /\.(test|testing)\.tsx?$/.test(file);
}

export function parse(file: string, source = readFileSync(join(ROOT, file), 'utf8')): ParseResult {
  const parsed = parseSync(file, source);
  if (parsed.errors.length > 0) throw new Error(`${file} can't be parsed: ${parsed.errors[0]?.message}`);
  return parsed;
}

/** Returns every node of a syntax tree, outer ones first. */
export function nodesOf(value: unknown): readonly Node[] {
  const nodes: Node[] = [];
  collectNodes(value, nodes);
  return nodes;
}

function collectNodes(value: unknown, nodes: Node[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (isNode(value)) nodes.push(value);
  for (const part of Object.values(value)) collectNodes(part, nodes);
}

function isNode(value: object): value is Node {
  return 'type' in value && typeof value.type === 'string';
}

/** What the architecture tests check about a file. */
export interface SourceFacts {
  readonly imports: readonly Import[];
  /** A module-level `let` or `var`. */
  readonly hasState: boolean;
  readonly exportsDefault: boolean;
  /** The names of exported constants, functions and classes. Types aren't included, because they belong to what they describe. */
  readonly exportedValues: readonly string[];
  /** Like `exportedValues`, with the names of types. */
  readonly exportedNames: readonly string[];
  /** The names that it imports, and from where; '*' for a whole module. */
  readonly importedNames: readonly { readonly from: string; readonly name: string }[];
  readonly readsEnvironment: boolean;
}

/** Parses each file once and returns its facts, which takes a second for this repository. */
export function factsOf(files: readonly string[]): ReadonlyMap<string, SourceFacts> {
  return new Map(files.map((file) => [file, factsIn(parse(file))]));
}

function factsIn(parsed: ParseResult): SourceFacts {
  const { body } = parsed.program;
  const nodes = nodesOf(body);
  return {
    imports: nodes.flatMap((node) => importOf(node) ?? []),
    hasState: body.some(isState),
    exportsDefault: body.some(({ type }) => type === 'ExportDefaultDeclaration'),
    readsEnvironment: nodes.some(isProcessEnv),
    exportedValues: body.flatMap(exportedValues),
    exportedNames: [
      ...new Set(body.flatMap((statement) => [...exportedValues(statement), ...exportedTypes(statement)])),
    ],
    importedNames: nodes.flatMap(importedNames),
  };
}

function exportedValues(statement: Node): readonly string[] {
  if (statement.type !== 'ExportNamedDeclaration' || statement.declaration == null) return [];
  const { declaration } = statement;
  if (declaration.type === 'VariableDeclaration') {
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
  }
  const isValue = declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration';
  return isValue && declaration.id !== null ? [declaration.id.name] : [];
}

function exportedTypes(statement: Node): readonly string[] {
  if (statement.type !== 'ExportNamedDeclaration') return [];
  const { declaration } = statement;
  const isType = declaration?.type === 'TSTypeAliasDeclaration' || declaration?.type === 'TSInterfaceDeclaration';
  return isType ? [declaration.id.name] : [];
}

function importedNames(node: Node): SourceFacts['importedNames'] {
  if (node.type === 'ImportExpression') {
    return node.source.type === 'Literal' ? [{ from: String(node.source.value), name: '*' }] : [];
  }
  if (node.type !== 'ImportDeclaration') return [];
  return node.specifiers.map((specifier) => {
    const imported = specifier.type === 'ImportSpecifier' ? specifier.imported : null;
    return { from: node.source.value, name: imported?.type === 'Identifier' ? imported.name : '*' };
  });
}

function isState(statement: Node): boolean {
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  return declaration?.type === 'VariableDeclaration' && declaration.kind !== 'const' && declaration.declare !== true;
}

function isProcessEnv(node: Node): boolean {
  if (node.type !== 'MemberExpression') return false;
  const { object, property } = node;
  return (
    object.type === 'Identifier' &&
    object.name === 'process' &&
    property.type === 'Identifier' &&
    property.name === 'env'
  );
}

/** Returns everything that a file imports: statements, re-exports, `import()` and `import('…')` types. */
export function importsOf(parsed: ParseResult): Import[] {
  return nodesOf(parsed.program).flatMap((node) => importOf(node) ?? []);
}

function importOf(node: Node): Import | null {
  switch (node.type) {
    case 'ImportDeclaration':
      return { from: node.source.value, typesOnly: node.importKind === 'type' || areTypes(node.specifiers) };
    case 'ExportNamedDeclaration':
      if (node.source === null) return null;
      return { from: node.source.value, typesOnly: node.exportKind === 'type' || areTypes(node.specifiers) };
    case 'ExportAllDeclaration':
      return { from: node.source.value, typesOnly: node.exportKind === 'type' };
    case 'ImportExpression':
      return node.source.type === 'Literal' ? { from: String(node.source.value), typesOnly: false } : null;
    case 'TSImportType':
      return { from: String(node.source.value), typesOnly: true };
    default:
      return null;
  }
}

function areTypes(specifiers: readonly object[]): boolean {
  const isType = (specifier: object): boolean =>
    ('importKind' in specifier && specifier.importKind === 'type') ||
    ('exportKind' in specifier && specifier.exportKind === 'type');
  return specifiers.length > 0 && specifiers.every(isType);
}

/** Returns the path from the root of a relative import of `file`; null for packages and Node's modules. */
export function importedFile(file: string, from: string): string | null {
  return from.startsWith('.') ? normalize(join(dirname(file), from)) : null;
}
