import { withoutEscapes } from '../../block-kit/escapes.ts';
import type { Inline } from './inline.ts';

type Link = Extract<Inline, { kind: 'link' }>;

const ADDRESS = /https?:\/\/(?:&amp;|[^\s<>|&])+(?<![.,;:!?)*_~])/iy;
const EMAIL = /[\w.+-]+@[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}(?![\w-])/iy;
const DOMAIN =
  /(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+([a-z]{2,})(?::\d+)?(?:\/(?:&amp;|[^\s<>|&])*)?(?<![.,;:!?)*_~])(?![\w@-])/iy;

/** Endings that aren't countries. Slack knows all that exist; these are the frequent ones. */
const ENDINGS = new Set([
  'com',
  'org',
  'net',
  'edu',
  'gov',
  'info',
  'biz',
  'dev',
  'app',
  'cloud',
  'online',
  'shop',
  'site',
  'tech',
  'xyz',
  'eu',
  'uk',
]);
const COUNTRIES = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Returns what Slack links at a place of a text although nothing marks it: an address, an email address, or a domain; null if nothing. */
export function bareLinkAt(source: string, at: number): { readonly inline: Link; readonly length: number } | null {
  if (/[\w@.+-]/.test(source.charAt(at - 1))) return null;
  return (
    found(matchAt(ADDRESS, source, at), '') ??
    found(matchAt(EMAIL, source, at), 'mailto:') ??
    found(domainAt(source, at), 'http://')
  );
}

function domainAt(source: string, at: number): RegExpExecArray | null {
  const match = matchAt(DOMAIN, source, at);
  const ending = match?.[1]?.toLowerCase() ?? '';
  return ENDINGS.has(ending) || (ending.length === 2 && isCountry(ending)) ? match : null;
}

function isCountry(ending: string): boolean {
  return COUNTRIES.of(ending.toUpperCase()) !== undefined;
}

function found(
  match: RegExpExecArray | null,
  scheme: string,
): { readonly inline: Link; readonly length: number } | null {
  if (match === null) return null;
  const label = withoutEscapes(match[0]);
  return { inline: { kind: 'link', url: `${scheme}${label}`, label }, length: match[0].length };
}

/** Matches a sticky pattern at one place. */
export function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}
