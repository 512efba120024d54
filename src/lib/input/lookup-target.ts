import type { Environment } from '../environment.ts';
import { InputError } from '../errors.ts';
import { visible } from '../fold.ts';
import { FILTER_KEYS } from './filters.ts';
import { eventIdOrTransaction, looksLikeId, MAX_TEXT_LENGTH, type NotificationId, recogniseIds } from './ids.ts';
import { unescaped } from './slack-text.ts';

export type LookupTarget =
  | NotificationId
  | { readonly kind: 'subscriber'; readonly id: string }
  | { readonly kind: 'email'; readonly id: string };

export interface Recognised {
  readonly target: LookupTarget;
  readonly environment: string | null;
}

export const MOST_RECOGNISED = 10;

const LINK = /\bhttps?:\/\/[^\s<>|"'`]+/gi;
/** Slack makes a link of an address: `<mailto:anna@example.com|anna@example.com>`. */
const MAILTO = /<mailto:([^<>|\s]+)(?:\|[^<>]*)?>/gi;
const SUBSCRIBER =
  /\bsubscriber(?:[ _-]?id)?["“”]?:\s?(?:["“”]([^"“”\n]{1,200})["“”]|((?:&(?:amp|lt|gt);|[^\s"“”<>,;]){1,200}))/gi;
const EMAIL =
  /(?<![\p{L}\p{N}._%+@-]'?)[\p{L}\p{N}][\p{L}\p{N}._%+'-]{0,63}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}@-])/gu;
/** Filters that a command accepts besides an ID: `since:2h` isn't one. */
const OTHER_KEYS = FILTER_KEYS.filter((key) => key !== 'tx' && key !== 'email');
const OTHER_FILTERS = new RegExp(`(?<!\\S)(?:${OTHER_KEYS.join('|')}):\\S+`, 'gi');

/** Without duplicates, at most `limit`. A text of a single word may be an ID of digits only. Ignores unseen characters. */
export function recognise(
  text: string,
  environments: readonly Environment[],
  limit: number = MOST_RECOGNISED,
): Recognised[] {
  const seen = visible(text.slice(0, MAX_TEXT_LENGTH));
  const inLinks = [...seen.matchAll(LINK)].flatMap(([link]) => {
    const environment = environmentOf(link, environments);
    return recogniseIds(link).map((target) => ({ target, environment }));
  });
  const found = new Map<string, Recognised>();
  for (const recognised of [...inLinks, ...inWords(seen.replace(MAILTO, '$1').replace(LINK, ' '))]) {
    const key = `${recognised.target.kind} ${recognised.target.id}`;
    if (found.size < limit && !found.has(key)) found.set(key, recognised);
  }
  return [...found.values()];
}

/** Everything recognized, or else a single word as a transaction's ID. Throws an `InputError` for words with nothing to look up. */
export function lookupTargetsIn(text: string, environments: readonly Environment[], limit: number): Recognised[] {
  const found = recognise(text, environments, limit);
  if (found.length > 0) return found;
  if (/\s/.test(text.trim()))
    throw new InputError('sought', 'There is no ID, address or link in these words.', 'txn_8f2c91');
  return [{ target: eventIdOrTransaction(text.replace(/^\s*tx:\s*(?=\S)/i, '')), environment: null }];
}

/** Returns the environment whose dashboard has this address; null if none has, or several share it. */
function environmentOf(link: string, environments: readonly Environment[]): string | null {
  const [nearest, next] = environments
    .map(({ name, dashboardUrl }) => ({ name, base: dashboardUrl?.replace(/\/+$/, '').toLowerCase() ?? null }))
    .filter(({ base }) => base !== null && `${link}/`.toLowerCase().startsWith(`${base}/`))
    .sort((a, b) => (b.base?.length ?? 0) - (a.base?.length ?? 0));
  return nearest === undefined || nearest.base === next?.base ? null : nearest.name;
}

function inWords(text: string): Recognised[] {
  // A full stop at the end isn't part of the ID.
  const subscribers = [...text.matchAll(SUBSCRIBER)].map(
    ([, quoted, bare]): LookupTarget => ({
      kind: 'subscriber',
      id: unescaped(quoted ?? bare ?? '').replace(/[.!?]+$/, ''),
    }),
  );
  const rest = text.replace(SUBSCRIBER, ' ');
  const emails = (rest.match(EMAIL) ?? []).map((id): LookupTarget => ({ kind: 'email', id }));
  const bare = rest.replace(EMAIL, ' ').replace(OTHER_FILTERS, ' ').trim();
  const only = /\s/.test(bare) ? null : looksLikeId(bare);
  const ids = only === null ? recogniseIds(bare, { limit: MOST_RECOGNISED + 1 }) : [only];
  return [...ids, ...subscribers, ...emails].map((target) => ({ target, environment: null }));
}
