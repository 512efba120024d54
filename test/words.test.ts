import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isTestCode, nodesOf, parse, ROOT, sourceFiles } from './source-code.ts';

/** What neither Slack nor alerting nor messaging says, and what this project says instead. */
const BANNED: readonly (readonly [RegExp, string])[] = [
  [/\btold\b/i, 'alerted, notified, announced, reported, shown'],
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\banew\b/i, 'again'],
  [/\bany more\b/i, 'no longer'],
  [/\bcan not\b/i, "can't"],
  [/\bwhoever\b/i, 'the person who, anyone who, its creator'],
  [/\bstands? in\b/i, 'is in, see'],
  [/\bwhat (?:became|becomes) of\b/i, 'outcome, status'],
  [/\bgo(es)? on since\b/i, 'ongoing since'],
  [/\ball the same\b/i, 'still, anyway'],
  [/\bevents read\b/i, 'events checked'],
  [/\bis renewed\b/i, 'refreshes'],
  [/\bdoors?\b/i, 'route'],
  [/\bgestures?\b/i, 'interaction'],
  [/\brooms\b/i, 'modules'],
  [/\bspells?\b/i, 'time, fault window'],
  [/\be-mails?\b/i, 'email'],
  [/\bnot done yet\b/i, 'in progress'],
  [/\bnot in the (?:service's )?list yet\b/i, 'waiting for the service to list it'],
  [/\bcounts on no more\b/i, 'is no longer updated'],
  [/\d %(?!\w)/, '24%'],
];

/** Legitimate uses: of a word in another sense, quotes of others. */
const ALLOWED =
  /\btold apart\b|Limit can not be larger then|^all the same$|Whoever you are|what became of txn_|\/notif say all the same/gi;

/** Data of a test, which says these words on purpose. */
const NOT_CHECKED: readonly string[] = ['test/words.test.ts'];

/** An ID in a sentence, and not in a placeholder (`<id>`, `type:id`) or a name (`trace-id`). */
const LOWER_CASE_ID = /(?<![<:.?_/-])\bids?\b(?![.:=>_-]\w|>)/;

/** SQL, and words of the code: a kind of value, a key's purpose. */
const NO_SENTENCE = /\b(?:SELECT|WHERE|ORDER BY)\b|^id that is a contact$|^notif kept ids$/;

/** A part of a file that people read: a comment, a text, or the prose of a page. */
interface Prose {
  readonly text: string;
  readonly where: string;
}

/** String literals, templates and the text of JSX. */
function textsIn({ program }: ReturnType<typeof parse>): readonly string[] {
  return [...nodesOf(program.body)].flatMap((node) => {
    if (node.type === 'Literal' && typeof node.value === 'string') return [node.value];
    if (node.type === 'TemplateElement') return [node.value.raw];
    return node.type === 'JSXText' ? [node.value] : [];
  });
}

/** Texts and comments. A name or a code isn't a sentence: only what has a space counts. */
function proseIn(file: string, parsed: ReturnType<typeof parse>): readonly Prose[] {
  return [...textsIn(parsed), ...parsed.comments.map(({ value }) => value)]
    .filter((text) => text.trim().includes(' '))
    .map((text) => ({ text, where: file }));
}

/** A page without its code: a command, a file or a field has its own name. */
function proseOf(page: string): readonly Prose[] {
  const prose = readFileSync(join(ROOT, page), 'utf8').replace(/```[\s\S]*?```/g, '');
  return prose
    .split('\n')
    .map((line, index) => ({ text: line.replace(/`[^`]*`/g, '`'), where: `${page}:${index + 1}` }));
}

/** Texts of the product in which an ID isn't written as one. What providers say is quoted as it comes, in small letters. */
function lowerCaseIds(file: string, parsed: ReturnType<typeof parse>): readonly string[] {
  const isQuoted = (text: string) => file.startsWith('src/domain/causes/') && /^[a-z(]/.test(text);
  return textsIn(parsed)
    .filter(
      (text) => text.includes(' ') && LOWER_CASE_ID.test(text) && !NO_SENTENCE.test(text.trim()) && !isQuoted(text),
    )
    .map((text) => `${file}: ${text.trim()} -> ID`);
}

function bannedIn(prose: readonly Prose[]): readonly string[] {
  return prose.flatMap(({ text, where }) => {
    const rest = text.replace(ALLOWED, '');
    return BANNED.filter(([word]) => word.test(rest)).map(([, instead]) => `${where}: ${text.trim()} -> ${instead}`);
  });
}

/** Everything that people read beside the code. */
const PAGES: readonly string[] = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'sandbox/slack/README.md', 'docs/alerts.yml'],
  ...['deploy/README.md', 'deploy/grafana/dashboard.json', 'manifest.yml', 'manifest.http.yml'],
  ...readdirSync(join(ROOT, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];

/** How a row of docs/simulation.md begins that has the words of a switch, which the simulation holds. */
const SWITCH = '| ` | events have ids of 3 kB';

describe('the words of the project', () => {
  test.each(['src', 'sandbox', 'test', 'bench', 'scripts'])(
    'are those of the field in texts and comments of %s',
    (folder) => {
      const files = sourceFiles(folder).filter((file) => !NOT_CHECKED.includes(file));
      expect(files.flatMap((file) => bannedIn(proseIn(file, parse(file))))).toEqual([]);
    },
  );

  test('have ID and IDs in texts for people', () => {
    const files = sourceFiles('src').filter((file) => !isTestCode(file) && !file.startsWith('src/store/'));
    expect(files.flatMap((file) => lowerCaseIds(file, parse(file)))).toEqual([]);
  });

  test('are those of the field in the docs', () => {
    expect(PAGES.flatMap((page) => bannedIn(proseOf(page)))).toEqual([]);
  });

  test('have ID and IDs in the docs', () => {
    const prose = PAGES.filter((page) => !page.endsWith('.json'))
      .flatMap(proseOf)
      .filter(({ text }) => LOWER_CASE_ID.test(text) && !text.startsWith(SWITCH));
    expect(prose.map(({ text, where }) => `${where}: ${text} -> ID`)).toEqual([]);
  });

  test('are looked for in literals, templates, JSX and comments, and not in names', () => {
    const source = `// Told at a door.\nconst a = 'It can not be'; const b = \`\${a} is told\`; const c = 'mend'; const d = <p>whoever reads</p>;`;
    expect(bannedIn(proseIn('example.tsx', parse('example.tsx', source)))).toEqual([
      "example.tsx: It can not be -> can't",
      'example.tsx: is told -> alerted, notified, announced, reported, shown',
      'example.tsx: whoever reads -> the person who, anyone who, its creator',
      'example.tsx: Told at a door. -> alerted, notified, announced, reported, shown',
      'example.tsx: Told at a door. -> route',
    ]);
  });
});
