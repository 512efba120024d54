import { describe, expect, it } from 'vitest';
import { isTestCode, nodesOf, parse, sourceFiles } from './source-code.ts';

/** What neither Slack nor alerting nor messaging says, and what this project says instead. */
const BANNED: readonly (readonly [RegExp, string])[] = [
  [/\b(is|are|was|were|be|been) told\b/i, 'is alerted, notified, reported'],
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\banew\b/i, 'again'],
  [/\bany more\b/i, 'no longer'],
  [/\bcan not\b/i, "can't"],
  [/\bwhoever\b/i, 'the person who, its creator'],
  [/\bstands? in\b/i, 'is in, see'],
  [/\bwhat became of\b/i, 'outcome, status'],
  [/\bgo(es)? on since\b/i, 'ongoing since'],
  [/\ball the same\b/i, 'still, anyway'],
  [/\bevents read\b/i, 'events checked'],
  [/\bis renewed\b/i, 'refreshes'],
];

/** Texts of others, quoted as they are; and names in the log that alerts and runbooks look for. */
const QUOTED: readonly string[] = ['Limit can not be larger then', 'events read'];

/** The texts of a file in which people can find a word: string literals, templates and the text of JSX. */
function textsIn({ program }: ReturnType<typeof parse>): readonly string[] {
  return [...nodesOf(program.body)].flatMap((node) => {
    if (node.type === 'Literal' && typeof node.value === 'string') return [node.value];
    if (node.type === 'TemplateElement') return [node.value.raw];
    return node.type === 'JSXText' ? [node.value] : [];
  });
}

function bannedIn(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => {
    // A name or a code isn't a sentence: only what has a space is read by people.
    if (!text.trim().includes(' ') || QUOTED.some((quoted) => text.startsWith(quoted))) return [];
    return BANNED.filter(([word]) => word.test(text)).map(([, instead]) => `${text.trim()} -> ${instead}`);
  });
}

describe('the words that people see', () => {
  it.each(['src', 'sandbox'])('are those of the field in %s', (folder) => {
    const files = sourceFiles(folder).filter((file) => !isTestCode(file) && !file.includes('/migrations/'));
    const found = files.flatMap((file) => bannedIn(textsIn(parse(file))).map((words) => `${file}: ${words}`));
    expect(found).toEqual([]);
  });

  it('are looked for in literals, templates and JSX, and not in names', () => {
    const source = `const a = 'It can not be'; const b = \`\${a} is told\`; const c = 'mend'; const d = <p>whoever reads</p>;`;
    expect(bannedIn(textsIn(parse('example.tsx', source)))).toEqual([
      "It can not be -> can't",
      'is told -> is alerted, notified, reported',
      'whoever reads -> the person who, its creator',
    ]);
  });
});
