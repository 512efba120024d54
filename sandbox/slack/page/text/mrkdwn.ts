import { withoutEscapes } from '../../block-kit/fields.ts';

/** A piece of a line of mrkdwn. All texts in it are unescaped plain text, never HTML. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code' | 'bold' | 'italic' | 'strike'; readonly children: readonly Inline[] }
  | { readonly kind: 'link'; readonly url: string; readonly label: string }
  | { readonly kind: 'user' | 'channel' | 'usergroup'; readonly id: string; readonly label: string }
  | { readonly kind: 'broadcast'; readonly range: string }
  | {
      readonly kind: 'date';
      readonly timestamp: number;
      readonly format: string;
      readonly url: string | null;
      readonly fallback: string;
    }
  | { readonly kind: 'emoji'; readonly name: string };

/** Parses the text between `<` and `>`: a link, a mention, a date, or another command, which shows as its label. */
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
  const [name = '', ...rest] = command.split('^');
  if (name === 'subteam') return { kind: 'usergroup', id: rest[0] ?? '', label };
  if (name === 'date') return readDate(rest, label);
  if (['here', 'channel', 'everyone'].includes(name)) return { kind: 'broadcast', range: name };
  return { kind: 'text', text: label || `<!${withoutEscapes(command)}>` };
}

function readDate([seconds = '', format = '', url]: readonly string[], fallback: string): Inline {
  const timestamp = Number(seconds);
  if (!Number.isInteger(timestamp) || format === '') return { kind: 'text', text: fallback };
  return {
    kind: 'date',
    timestamp,
    format: withoutEscapes(format),
    url: url === undefined ? null : withoutEscapes(url),
    fallback,
  };
}

const ADDRESS = /https?:\/\/(?:&amp;|[^\s<>|&])+(?<![.,;:!?)*_~])/iy;

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

export type Passage = { readonly kind: 'paragraph' | 'quote' | 'preformatted'; readonly children: readonly Inline[] };

interface Found {
  readonly inline: Inline;
  readonly length: number;
}

type Finder = (source: string, at: number, autoLink: boolean) => Found | null;

/**
 * Parses Slack's mrkdwn as Slack's client does: ``` blocks, `>` quotes, `*bold*` `_italic_` `~strike~` `` `code` ``, `:emoji:` and `<…>`
 * for links, mentions and dates; `&amp; &lt; &gt;` are the only escapes (slack.md, section 6).
 *
 * @param autoLink Slack's default unless the text object has `verbatim`: bare addresses become links, `@here` a mention. (Slack also links bare
 *   domains and email addresses.)
 */
export function parseMrkdwn(source: string, autoLink = true): Passage[] {
  return source
    .split(/```\n?([\s\S]+?)\n?```\n?/)
    .flatMap((part, index) => (index % 2 === 1 ? [preformatted(part)] : parseLines(part, autoLink)));
}

function preformatted(source: string): Passage {
  return { kind: 'preformatted', children: parseInline(source, [findAngle], false) };
}

function parseLines(source: string, autoLink: boolean): Passage[] {
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
    children: parseInline(lines.join('\n'), everyFinder, autoLink),
  }));
}

function parseInline(source: string, finders: readonly Finder[], autoLink: boolean): Inline[] {
  const found: Inline[] = [];
  let plain = '';
  const flush = () => {
    if (plain !== '') found.push({ kind: 'text', text: withoutEscapes(plain) });
    plain = '';
  };
  for (let at = 0; at < source.length; ) {
    const hit = firstHit(finders, source, at, autoLink);
    if (hit === null) {
      plain += source.charAt(at);
      at += 1;
    } else {
      flush();
      found.push(hit.inline);
      at += hit.length;
    }
  }
  flush();
  return found;
}

/** What something can begin with: a marker, or where links need none, what a bare link or broadcast begins with. */
const marker = /[<`*_~:]/;
const markerOrLink = /[<`*_~:@a-z\d]/i;

function firstHit(finders: readonly Finder[], source: string, at: number, autoLink: boolean): Found | null {
  const beginning = autoLink ? markerOrLink : marker;
  if (!beginning.test(source.charAt(at))) return null;
  for (const find of finders) {
    const hit = find(source, at, autoLink);
    if (hit !== null) return hit;
  }
  return null;
}

const findAngle: Finder = (source, at) => {
  const match = matchAt(/<([^<>\n]+)>/y, source, at);
  return match?.[1] === undefined ? null : { inline: readAngle(match[1]), length: match[0].length };
};

const findCode: Finder = (source, at) => {
  const match = matchAt(/`([^`\n]+)`/y, source, at);
  if (match?.[1] === undefined) return null;
  return { inline: { kind: 'code', children: parseInline(match[1], [findAngle], false) }, length: match[0].length };
};

const emphases = { '*': 'bold', _: 'italic', '~': 'strike' } as const;

/** A marker opens only after a non-word character and closes only before one: `snake_case_word` and `2*3*4` stay unchanged. */
const findEmphasis: Finder = (source, at, autoLink) => {
  if (/[\p{L}\p{N}]/u.test(source.charAt(at - 1))) return null;
  const match = matchAt(/([*_~])(?=\S)((?:`[^`\n]+`|<[^<>\n]+>|[^\n])+?)(?<=\S)\1(?![\p{L}\p{N}])/uy, source, at);
  const kind = match === null ? undefined : emphasisOf(match[1]);
  if (match?.[2] === undefined || kind === undefined) return null;
  return { inline: { kind, children: parseInline(match[2], everyFinder, autoLink) }, length: match[0].length };
};

function emphasisOf(marker: string | undefined): 'bold' | 'italic' | 'strike' | undefined {
  return marker === '*' || marker === '_' || marker === '~' ? emphases[marker] : undefined;
}

const findEmoji: Finder = (source, at) => {
  const match = matchAt(/:([a-z0-9_+'-]+):/y, source, at);
  return match?.[1] === undefined ? null : { inline: { kind: 'emoji', name: match[1] }, length: match[0].length };
};

const findBareLink: Finder = (source, at, autoLink) => {
  if (!autoLink || /[\w@.+-]/.test(source.charAt(at - 1))) return null;
  const match = matchAt(ADDRESS, source, at);
  if (match === null) return null;
  const url = withoutEscapes(match[0]);
  return { inline: { kind: 'link', url, label: url }, length: match[0].length };
};

const findBareBroadcast: Finder = (source, at, autoLink) => {
  if (!autoLink || /\w/.test(source.charAt(at - 1))) return null;
  const match = matchAt(/@(here|channel|everyone)\b/y, source, at);
  return match?.[1] === undefined ? null : { inline: { kind: 'broadcast', range: match[1] }, length: match[0].length };
};

const everyFinder: readonly Finder[] = [findAngle, findCode, findEmphasis, findEmoji, findBareLink, findBareBroadcast];
