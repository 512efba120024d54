import { withoutEscapes } from '../../block-kit/fields.ts';

/** A piece of a line of mrkdwn. All texts in it are unescaped plain text, never HTML. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code' | 'bold' | 'italic' | 'strike'; children: readonly Inline[] }
  | { kind: 'link'; url: string; label: string }
  | { kind: 'user' | 'channel' | 'usergroup'; id: string; label: string }
  | { kind: 'broadcast'; range: string }
  | { kind: 'date'; timestamp: number; format: string; url: string | null; fallback: string }
  | { kind: 'emoji'; name: string };

export type Passage = { kind: 'paragraph' | 'quote' | 'preformatted'; children: readonly Inline[] };

/** Parses mrkdwn as Slack's client does with `verbatim`, which Notif always sets (slack.md, section 6). */
export function parseMrkdwn(source: string): Passage[] {
  return source.split(/```\n?([\s\S]+?)\n?```\n?/).flatMap((part, index): Passage[] => {
    return index % 2 === 1 ? [{ kind: 'preformatted', children: parseInline(part, [findAngle]) }] : parseLines(part);
  });
}

function parseLines(source: string): Passage[] {
  if (source === '') return [];
  const runs: { quoted: boolean; lines: string[] }[] = [];
  for (const line of source.split('\n')) {
    // An escaped `>` is a quote too: Slack's own client sends it that way.
    const quoted = /^(?:>|&gt;)/.test(line);
    const content = quoted ? line.replace(/^(?:>|&gt;) ?/, '') : line;
    const last = runs.at(-1);
    if (last?.quoted === quoted) last.lines.push(content);
    else runs.push({ quoted, lines: [content] });
  }
  return runs.map(({ quoted, lines }) => ({
    kind: quoted ? 'quote' : 'paragraph',
    children: parseInline(lines.join('\n'), everyFinder),
  }));
}

interface Hit {
  inline: Inline;
  length: number;
}

type Finder = (source: string, at: number) => Hit | null;

function parseInline(source: string, finders: readonly Finder[]): Inline[] {
  const inlines: Inline[] = [];
  let plain = '';
  const flush = () => {
    if (plain !== '') inlines.push({ kind: 'text', text: withoutEscapes(plain) });
    plain = '';
  };
  for (let at = 0; at < source.length; ) {
    const hit = firstHit(finders, source, at);
    if (hit === null) {
      plain += source.charAt(at);
      at += 1;
    } else {
      flush();
      inlines.push(hit.inline);
      at += hit.length;
    }
  }
  flush();
  return inlines;
}

function firstHit(finders: readonly Finder[], source: string, at: number): Hit | null {
  if (!/[<`*_~:]/.test(source.charAt(at))) return null;
  for (const find of finders) {
    const hit = find(source, at);
    if (hit !== null) return hit;
  }
  return null;
}

function finder(pattern: RegExp, read: (...groups: readonly string[]) => Inline | null): Finder {
  const sticky = new RegExp(pattern, `${pattern.flags}y`);
  return (source, at) => {
    sticky.lastIndex = at;
    const [whole = '', ...groups] = sticky.exec(source) ?? [];
    const inline = whole === '' ? null : read(...groups);
    return inline && { inline, length: whole.length };
  };
}

const findAngle = finder(/<([^<>\n]+)>/, (inside = '') => readAngle(inside));
const findCode = finder(/`([^`\n]+)`/, (inside = '') => ({ kind: 'code', children: parseInline(inside, [findAngle]) }));
const findEmoji = finder(/:([a-z0-9_+'-]+):/, (name = '') => ({ kind: 'emoji', name }));

/** A marker opens only after a non-word character and closes only before one: `snake_case_word` and `2*3*4` stay unchanged. */
const findEmphasis = finder(
  /(?<![\p{L}\p{N}])([*_~])(?=\S)((?:`[^`\n]+`|<[^<>\n]+>|[^\n])+?)(?<=\S)\1(?![\p{L}\p{N}])/u,
  (marker = '', inside = '') => {
    const kind = marker === '*' ? 'bold' : marker === '_' ? 'italic' : 'strike';
    return { kind, children: parseInline(inside, everyFinder) };
  },
);

const everyFinder: readonly Finder[] = [findAngle, findCode, findEmphasis, findEmoji];

function readAngle(inside: string): Inline {
  const bar = inside.indexOf('|');
  const target = bar === -1 ? inside : inside.slice(0, bar);
  const label = bar === -1 ? '' : withoutEscapes(inside.slice(bar + 1));
  if (target.startsWith('!')) return readCommand(target.slice(1), label);
  if (/^@[UW]/.test(target)) return { kind: 'user', id: target.slice(1), label };
  if (/^#[CG]/.test(target)) return { kind: 'channel', id: target.slice(1), label };
  const url = withoutEscapes(target);
  return { kind: 'link', url, label: label || url.replace(/^mailto:/, '') };
}

function readCommand(command: string, label: string): Inline {
  const [name = '', first = '', format = '', url] = command.split('^').map(withoutEscapes);
  if (name === 'subteam') return { kind: 'usergroup', id: first, label };
  if (['here', 'channel', 'everyone'].includes(name)) return { kind: 'broadcast', range: name };
  if (name !== 'date') return { kind: 'text', text: label || `<!${withoutEscapes(command)}>` };
  const timestamp = Number(first);
  if (!Number.isInteger(timestamp) || format === '') return { kind: 'text', text: label };
  return { kind: 'date', timestamp, format, url: url ?? null, fallback: label };
}
