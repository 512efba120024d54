import { EVENT_ID, type LookupTarget, notificationId, TRANSACTION_ID } from './notification-id.ts';

export const LINK = /\bhttps?:\/\/[^\s<>|"'`]+/gi;

const EVENT_NAME =
  /^(?:activityitemid|(?:notification|event|transaction|activit|message)(?:s|ies|y)?(?:_?ids?)?|txn?|id|q)$/i;
const SUBSCRIBER_NAME = /^subscribers?(?:_?ids?)?$/i;
const ENVIRONMENT_NAME = /^env(?:ironments?)?(?:_?id)?$/i;
const MARKED_TRANSACTION = /(?<![\w-])txn[_-][\w-]{4,190}/i;

export function inLink(link: string): { target: LookupTarget; serviceEnvironmentId: string | null } | null {
  if (!URL.canParse(link)) return null;
  const named = namedIn(link);
  const valueBy = (name: RegExp, isId: (value: string) => boolean) =>
    named.find(([key, value]) => name.test(key) && isId(value))?.[1] ?? null;
  const isNotification = (value: string) => EVENT_ID.test(value) || TRANSACTION_ID.test(value);
  const isAny = (value: string) => value !== '';
  const exact = valueBy(/^activityItemId$/i, isAny) ?? valueBy(/^transactionId$/i, isAny);
  const id = exact ?? valueBy(EVENT_NAME, isNotification);
  const subscriber = valueBy(SUBSCRIBER_NAME, isAny);
  const marked = MARKED_TRANSACTION.exec(named.flat().join(' '))?.[0] ?? null;
  const serviceEnvironmentId = valueBy(ENVIRONMENT_NAME, (value) => EVENT_ID.test(value));
  const notification = id ?? (subscriber === null ? marked : null);
  if (notification !== null) return { target: notificationId(notification), serviceEnvironmentId };
  return subscriber === null ? null : { target: { kind: 'subscriber', id: subscriber }, serviceEnvironmentId };
}

/** Query parameters, and each segment of a path named by the one before it. */
function namedIn(link: string): readonly [string, string][] {
  const { pathname, searchParams, hash } = new URL(link);
  const fragment = new URL(hash.replace(/^#!?\/?/, '/'), 'https://fragment.example');
  const pieces = [pathname, fragment.pathname].map((path) => path.split('/').filter((piece) => piece !== ''));
  const inPaths = pieces.flatMap((path) => path.map((piece, at) => [path[at - 1] ?? '', decoded(piece)] as const));
  const named = [...searchParams, ...fragment.searchParams, ...inPaths];
  // The sentence around the link may end with punctuation.
  return named.map(([name, value]) => [name, value.replace(/[^\p{L}\p{N}_/+=]+$/u, '')]);
}

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}
