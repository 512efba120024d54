import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './source-code.ts';

/** A row of a table of docs/sandbox.md: what is there, and the test that holds it. */
export interface Row {
  /** The cells before the last. */
  readonly line: string;
  /** Below the section's folder, without `.test.ts`. */
  readonly file: string;
  readonly title: string;
}

/** The parts of a section of docs/sandbox.md, by their headings; '' for what stands before the first. */
export function partsOf(section: string): ReadonlyMap<string, string> {
  const page = readFileSync(join(ROOT, 'docs/sandbox.md'), 'utf8');
  const [, rest = ''] = page.split(`## ${section}\n`);
  const [own = ''] = rest.split(/^## /m);
  const [beginning = '', ...parts] = own.split(/^### /m);
  return new Map([['', beginning], ...parts.map((part): [string, string] => [part.split('\n')[0] ?? '', part])]);
}

/** The rows that end with a test: `file`: title. */
export function rowsOf(part: string): readonly Row[] {
  return [...part.matchAll(/^\| (.+) \| `([\w./-]+)`: (.+) \|$/gm)].map(([, line = '', file = '', title = '']) => ({
    ...{ line, file, title },
  }));
}
