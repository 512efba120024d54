import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, sourceFiles } from './source-code.ts';

/** `docs/guarantees.md`, "Deliveries" */
const CITATION = /([\w/.-]+\.md)`?(?:\]\([^)]*\))?\)?, "([^"]+)"/g;
/** `domain/text/audience.ts` */
const CITED_FILE = /`(\w[\w./-]*\.tsx?)`/g;
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
/** How a line of a comment or a list begins. */
const LINE_BREAK = /\s*\n\s*(?:\*|\/\/)?\s*/g;

const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'deploy/README.md', 'sandbox/slack/README.md'].concat(
  readdirSync(join(ROOT, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
);
const code = ['src', 'sandbox', 'bench', 'test', 'scripts'].flatMap(sourceFiles);
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** The headings of a page, and the bold beginnings of its paragraphs. */
function titlesIn(page: string): readonly string[] {
  return [...read(page).matchAll(/^#+ (.+)$|\*\*([^*]+?)[.,:]?\*\*/gm)].map(
    ([, heading, bold]) => heading ?? bold ?? '',
  );
}

test('a cited section of a page exists', () => {
  const missing = [...pages, ...code].flatMap((file) =>
    [...read(file).replace(LINE_BREAK, ' ').matchAll(CITATION)].flatMap(([, page = '', title = '']) => {
      const at = [page, join(dirname(file), page), join('docs', page)].find((path) => existsSync(join(ROOT, path)));
      return at !== undefined && titlesIn(at).includes(title.replace(/[.,]$/, ''))
        ? []
        : [`${file}: ${page}, "${title}"`];
    }),
  );
  expect(missing).toEqual([]);
});

test('a file that a comment cites exists, by its path from the root, from src or from its own folder, or by its name', () => {
  const names = new Set(code.map((file) => file.split('/').at(-1)));
  const missing = code.flatMap((file) =>
    [...read(file).matchAll(COMMENT)].flatMap(([comment]) =>
      [...comment.matchAll(CITED_FILE)]
        .map(([, cited = '']) => cited)
        .filter((cited) => (cited.includes('/') ? !isThere(cited, file) : !names.has(cited)))
        .map((cited) => `${file}: ${cited}`),
    ),
  );
  expect(missing).toEqual([]);
});

/** Returns whether a path leads to a file, from the root, from src or from the folder of the file that cites it. */
function isThere(path: string, citedBy: string): boolean {
  return ['', 'src', dirname(citedBy)].some((folder) => existsSync(join(ROOT, folder, path)));
}
