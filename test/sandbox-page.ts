import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './source-code.ts';

/** A table row of docs/sandbox.md: its contents, and the test that proves it. */
export interface Row {
  /** The cells before the last one. */
  readonly line: string;
  /** The path below the section's folder, without `.test.ts`. */
  readonly file: string;
  readonly title: string;
}

/** Returns the parts of a section of docs/sandbox.md by their headings; '' for the text before the first heading. */
export function partsOf(section: string): ReadonlyMap<string, string> {
  const page = readFileSync(join(ROOT, 'docs/sandbox.md'), 'utf8');
  const [, rest = ''] = page.split(`## ${section}\n`);
  const [own = ''] = rest.split(/^## /m);
  const [beginning = '', ...parts] = own.split(/^### /m);
  return new Map([['', beginning], ...parts.map((part): [string, string] => [part.split('\n')[0] ?? '', part])]);
}

/** Returns the rows that end with a test: `file`: title. */
export function rowsOf(part: string): readonly Row[] {
  return [...part.matchAll(/^\| (.+) \| `([\w./-]+)`: (.+) \|$/gm)].map(([, line = '', file = '', title = '']) => ({
    ...{ line, file, title },
  }));
}
