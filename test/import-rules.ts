import { dirname } from 'node:path';
import { type Allowed, MODULES, type Module } from './import-table.ts';
import { type Import, importedFile } from './source-code.ts';

export function moduleOf(file: string): Module | undefined {
  return MODULES.find((module) => module.files.test(file));
}

/** Explains why an import of `file` breaks the table, and where the file may belong. Null if the import is allowed. */
export function objectionTo(file: string, imported: Import): string | null {
  const module = moduleOf(file);
  if (module === undefined) return null;
  const target = importedFile(file, imported.from);
  if (target !== null) return objectionToFile(module, file, imported, target);
  if (imported.from.startsWith('node:'))
    return objectionToModule(module, file, 'builtins', imported.from, imported.from.slice(5));
  return objectionToModule(module, file, 'packages', imported.from, packageName(imported.from));
}

function objectionToFile(module: Module, file: string, imported: Import, target: string): string | null {
  const targetModule = moduleOf(target);
  if (targetModule === undefined) return `${file} imports ${target}, which is no part of the product`;
  if (allows(module, targetModule, file, imported, target)) return null;
  const others = MODULES.filter((other) => other !== module && reaches(other, targetModule) && reaches(other, module));
  return `${file} is in ${module.name}, which may not import ${target} of ${targetModule.name}. ${whereElse(others)}`;
}

function allows(module: Module, targetModule: Module, file: string, { typesOnly }: Import, target: string): boolean {
  if (module.modules === 'every module of src') return true;
  const fits = (allowed: Allowed): boolean =>
    covers(allowed, targetModule) &&
    (allowed.typesOnly !== true || typesOnly) &&
    (allowed.sameFolder !== true || dirname(file) === dirname(target));
  return module.modules.some(fits);
}

function objectionToModule(
  module: Module,
  file: string,
  kind: 'packages' | 'builtins',
  from: string,
  name: string,
): string | null {
  if (module[kind].includes(name)) return null;
  const others = MODULES.filter((other) => other[kind].includes(name));
  return `${file} is in ${module.name}, which may not import ${from}. ${whereElse(others)}`;
}

function whereElse(modules: readonly Module[]): string {
  if (modules.length === 0)
    return 'No module may: test/import-table.ts and docs/architecture.md are where to ask for it.';
  return `It probably belongs in ${modules.map(({ name }) => name).join(' or ')}.`;
}

function covers({ module }: Allowed, target: Module): boolean {
  return target.name === module || target.name.startsWith(`${module}/`);
}

function reaches(module: Module, target: Module): boolean {
  return (
    module === target ||
    module.modules === 'every module of src' ||
    module.modules.some((allowed) => covers(allowed, target))
  );
}

/** Returns each import cycle once: its files, in the order in which they import each other. */
export function circlesIn(files: readonly string[], imported: (file: string) => readonly string[]): string[][] {
  const done = new Set<string>();
  const circles: string[][] = [];
  const walk = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start !== -1) circles.push([...path.slice(start), file]);
    if (start !== -1 || done.has(file)) return;
    for (const next of imported(file)) walk(next, [...path, file]);
    done.add(file);
  };
  for (const file of files) walk(file, []);
  return circles;
}

/** `@slack/types/dist/x` -> `@slack/types`, `drizzle-orm/pg-core` -> `drizzle-orm`. */
export function packageName(from: string): string {
  return from.split('/', from.startsWith('@') ? 2 : 1).join('/');
}
