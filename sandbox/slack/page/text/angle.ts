import { withoutEscapes } from '../../block-kit/escapes.ts';
import type { Inline } from './inline.ts';

/** Parses the text between `<` and `>`: a link, a mention, a date, or another command, which shows as its label. */
export function readAngle(inside: string): Inline {
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
