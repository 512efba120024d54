import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OPERATIONS, SENT_TYPES } from './contract.ts';
import { ROOT } from './source-code.ts';

/** Of a trigger's result (contract, "States and transitions"). */
const STATUSES = [
  'error',
  'trigger_not_active',
  'no_workflow_active_steps_defined',
  'no_workflow_steps_defined',
  'processed',
  'no_tenant_found',
  'invalid_recipients',
];

/** Of the errors that are known (notes, "Transport"). */
const ERRORS = ['400', '401', '402', '404', '409', '413', '422', '429', '500', '502', '503', '504'];

const FOLDER = join(ROOT, 'sandbox/notification-service');

interface Row {
  /** What the service does: a line of the contract or of the notes on how it behaves. */
  readonly line: string;
  /** Below the folder, without `.test.ts`. */
  readonly file: string;
  readonly title: string;
}

/** The parts of the section of docs/sandbox.md about the local service, by their headings. */
function partsOfSection(): ReadonlyMap<string, string> {
  const page = readFileSync(join(ROOT, 'docs/sandbox.md'), 'utf8');
  const [, section = ''] = page.split('## The local Notification Service\n');
  const [own = ''] = section.split(/^## /m);
  return new Map(own.split(/^### /m).map((part) => [part.split('\n')[0] ?? '', part]));
}

function rowsOf(part: string): Row[] {
  return [...part.matchAll(/^\| (.+) \| `([\w/-]+)`: (.+) \|$/gm)].map(([, line = '', file = '', title = '']) => ({
    ...{ line, file, title },
  }));
}

const sourceOf = (file: string) => readFileSync(join(FOLDER, `${file}.test.ts`), 'utf8');

function titlesIn(file: string): string[] {
  return [...sourceOf(file).matchAll(/(?:\bit\(|\]\)\()\s*'([^']+)'/g)].map(([, title = '']) => title);
}

const parts = partsOfSection();
const rows = [...parts.values()].flatMap(rowsOf);
const conformance = readdirSync(join(FOLDER, 'conformance'))
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `conformance/${name.replace('.test.ts', '')}`);

describe('docs/sandbox.md, of the local Notification Service,', () => {
  it.each(rows)('names a test that exists: $file: $title', ({ file, title }) => {
    expect(sourceOf(file)).toContain(`'${title}'`);
  });

  it.each(conformance)('names every test of %s', (file) => {
    const named = rows.filter((row) => row.file === file).map(({ title }) => title);
    expect(new Set(named)).toEqual(new Set(titlesIn(file)));
  });

  it.each(Object.entries(OPERATIONS))('tells of each parameter of %s', (name, { method, path, parameters }) => {
    const part = parts.get(`\`${name}\`: \`${method} ${path}\``) ?? '';
    expect(parameters.filter((parameter) => !part.includes(`\`${parameter}\``))).toEqual([]);
  });

  it('tells of each field that is sent', () => {
    const sent = Object.values(SENT_TYPES).flat();
    const text = rows.map(({ line }) => line).join();
    expect(sent.filter((field) => !text.includes(`\`${field}\``))).toEqual([]);
  });

  it('tells of each status of an error and of a trigger’s result', () => {
    const text = rows.map(({ line, title }) => `${line} ${title}`).join();
    expect([...ERRORS, ...STATUSES].filter((status) => !text.includes(status))).toEqual([]);
  });
});
