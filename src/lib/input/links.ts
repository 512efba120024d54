import { EVENT_ID, type LookupTarget, notificationId, TRANSACTION_ID } from './notification-id.ts';

export const LINK = /\bhttps?:\/\/[^\s<>|"'`]+/gi;

export interface Linked {
  target: LookupTarget;
  /** The service's ID of the environment that the link names. */
  serviceEnvironmentId: string | null;
}

const EVENT_NAME =
  /^(?:activityitemid|(?:notification|event|transaction|activit|message)(?:s|ies|y)?(?:_?ids?)?|txn?|id|q)$/i;
const SUBSCRIBER_NAME = /^subscribers?(?:_?ids?)?$/i;
const ENVIRONMENT_NAME = /^env(?:ironments?)?(?:_?id)?$/i;
const MARKED_TRANSACTION = /(?<![\w-])txn[_-][\w-]{4,190}/i;

/** What names an event, a transaction or a subscriber in a link's path, query or fragment. */
export function inLink(link: string): Linked | null {
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

/** Each parameter, and each piece of a path after the one before it. */
function namedIn(link: string): readonly [string, string][] {
  const { pathname, searchParams, hash } = new URL(link);
  const fragment = new URL(hash.replace(/^#!?\/?/, '/'), 'https://fragment.example');
  const pieces = [pathname, fragment.pathname].map((path) => path.split('/').filter((piece) => piece !== ''));
  const inPaths = pieces.flatMap((path) =>
    path.map((piece, at): [string, string] => [path[at - 1] ?? '', decoded(piece)]),
  );
  return [...searchParams, ...fragment.searchParams, ...inPaths].map(([name, value]) => [
    name,
    value.replace(PUNCTUATION, ''),
  ]);
}

/** Of the sentence that the link ends. */
const PUNCTUATION = /[^\p{L}\p{N}_/+=]+$/u;

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}
