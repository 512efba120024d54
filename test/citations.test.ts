import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
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

/** Parts of a page between backticks, without its blocks of code. */
function quotedIn(page: string): readonly string[] {
  const prose = read(page).replace(/```[\s\S]*?```/g, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, words = '']) => words);
}

test('a file that a page names alone exists, and so does an npm script', () => {
  const names = new Set(code.map((file) => file.split('/').at(-1)));
  const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json')));
  const missing = pages.flatMap((page) => {
    const files = quotedIn(page).filter((words) => /^[\w.-]+\.tsx?$/.test(words) && !names.has(words));
    const run = [...read(page).matchAll(/npm run ([\w:]+)/g)].map(([, script = '']) => script);
    return [...files, ...run.filter((script) => !(script in scripts))].map((cited) => `${page}: ${cited}`);
  });
  expect(missing).toEqual([]);
});

/** The pages that quote the log, the status and error cards. */
const OF_OPERATORS = ['runbook', 'configuration', 'slack-app', 'audit', 'guarantees'].map((name) => `docs/${name}.md`);

/** Commands of a shell, names of spans and settings of other programs; and a line that the code composes. */
const NO_TEXT_OF_NOTIF =
  /^(?:date|kill|timedatectl|journalctl|systemctl|docker|kubectl|git|job|api|slack|sql|command|\w+:) |^Slack refuses \w+ with invalid_auth$/;

test.each([...OF_OPERATORS, 'deploy/README.md'])('%s quotes only texts that Notif uses', (page) => {
  const said = code.flatMap((file) => (file.startsWith('src/') ? [read(file)] : [])).join('\n');
  const sentences = quotedIn(page).filter((words) => /^[A-Za-z][\w …:;,.'()/-]+$/.test(words) && words.includes(' '));
  expect(sentences.filter((words) => !said.includes(words) && !NO_TEXT_OF_NOTIF.test(words))).toEqual([]);
});
