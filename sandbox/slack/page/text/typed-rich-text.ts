import type { RichTextElement, RichTextLeaf } from '../blocks/rich-text-schema.ts';
import type { Inline } from './inline.ts';
import { type Passage, parseMrkdwn } from './mrkdwn.ts';

/** Somebody who can be mentioned by name. */
interface Named {
  readonly id: string;
  readonly name: string;
}

type Style = NonNullable<RichTextLeaf['style']>;

/** Lines that belong together: the items of a list, or anything else. */
interface Run {
  readonly kind: 'bullet' | 'ordered' | 'text';
  readonly lines: readonly string[];
}

/**
 * Parses text typed in a rich_text_input, with the markup of Slack's editor: `*bold*`, `_italic_`, `~strike~`, `` `code` ``,
 * ``` blocks, `>` quotes, `- ` and `1. ` lists, URLs, '@name' of somebody in `people`. Everything else is literal, including angle
 * brackets.
 */
export function readTyped(source: string, people: readonly Named[]): RichTextElement[] {
  const escaped = source.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return runsOf(escaped).flatMap((run) => elementsOf(run, people));
}

function runsOf(source: string): Run[] {
  const runs: { kind: Run['kind']; lines: string[] }[] = [];
  let isFenced = false;
  for (const line of source.split('\n')) {
    const kind = isFenced ? 'text' : kindOf(line);
    if (line.split('```').length % 2 === 0) isFenced = !isFenced;
    const last = runs.at(-1);
    if (last?.kind === kind) last.lines.push(line);
    else runs.push({ kind, lines: [line] });
  }
  return runs;
}

function kindOf(line: string): Run['kind'] {
  if (/^[-•] /.test(line)) return 'bullet';
  return /^\d+\. /.test(line) ? 'ordered' : 'text';
}

function elementsOf({ kind, lines }: Run, people: readonly Named[]): RichTextElement[] {
  if (kind === 'text') return parseMrkdwn(lines.join('\n')).flatMap((passage) => elementOf(passage, people));
  const items = lines.map((line) => {
    const inlines = parseMrkdwn(line.replace(/^\S+ /, '')).flatMap(({ children }) => children);
    return { type: 'rich_text_section' as const, elements: leavesOf(inlines, people, {}) };
  });
  return [{ type: 'rich_text_list', style: kind, indent: 0, offset: 0, elements: items }];
}

const types = {
  paragraph: 'rich_text_section',
  quote: 'rich_text_quote',
  preformatted: 'rich_text_preformatted',
} as const;

function elementOf({ kind, children }: Passage, people: readonly Named[]): RichTextElement[] {
  const elements = leavesOf(children, people, {});
  return elements.length === 0 ? [] : [{ type: types[kind], elements }];
}

function leavesOf(inlines: readonly Inline[], people: readonly Named[], style: Style): RichTextLeaf[] {
  const styled = Object.keys(style).length > 0 ? { style } : {};
  return inlines.flatMap((inline): RichTextLeaf[] => {
    switch (inline.kind) {
      case 'bold':
      case 'italic':
      case 'strike':
      case 'code':
        return leavesOf(inline.children, people, { ...style, [inline.kind]: true });
      case 'text':
        return leavesOfText(inline.text, people).map((leaf) => ({ ...leaf, ...styled }));
      case 'link':
        return [
          { type: 'link', url: inline.url, ...(inline.label !== inline.url && { text: inline.label }), ...styled },
        ];
      case 'emoji':
        return [{ type: 'emoji', name: inline.name }];
      case 'broadcast':
        return [{ type: 'broadcast', range: inline.range }];
      default:
        // The other kinds are written in angle brackets, which were typed literally.
        return [];
    }
  });
}

function leavesOfText(text: string, people: readonly Named[]): RichTextLeaf[] {
  return text
    .split(/(@[\w.-]*\w)/)
    .filter((part) => part !== '')
    .map((part) => {
      const mentioned = people.find(({ name }) => part === `@${name}`);
      return mentioned === undefined ? { type: 'text', text: part } : { type: 'user', user_id: mentioned.id };
    });
}
