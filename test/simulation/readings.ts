import type { Shown } from './difficult-slack.ts';

/** What one message says of one incident, in a row of its own. Times are milliseconds; what it doesn't say is null. */
export interface Reading extends Shown {
  incident: number;
  state: 'firing' | 'recovering' | 'unconfirmed' | 'resolved';
  /** Nobody has resolved it by hand. */
  isByItself: boolean;
  /** When its outbreak began. */
  since: number | null;
  failures: number | null;
  isContinued: boolean;
  isEscalation: boolean;
}

/** A message that isn't a row: a line in a thread, or the news of a direct message. */
export type News = 'ended' | 'failing-again' | 'back' | 'escalated' | 'followed' | 'other';

const TIME = /<!date\^(\d+)\^[^>]*>/g;
const NUMBER = /(?:^| · )#(\d+)(?= · |$)/;
const SINGLE = 'Single failures, no pattern';

/** The first line is the mention of a post that rings. */
export const mentionIn = ({ text }: Pick<Shown, 'text'>): string | null =>
  /^<(?:@|!subteam\^)([A-Z0-9]+)>(?:\n|$)/.exec(text)?.[1] ?? null;

export const isOfSingles = ({ text }: Pick<Shown, 'text'>): boolean => text.includes(SINGLE);

/** Reads the rows of a message as people do: each begins with the line of its number. Lines in threads have none. */
export function readingsIn(shown: Shown): Reading[] {
  if (shown.threadOf !== null) return [];
  const rows: { incident: number; lines: string[] }[] = [];
  for (const line of shown.text.replace(TIME, '<$1>').split('\n')) {
    const number = NUMBER.exec(line)?.[1];
    if (number !== undefined) rows.push({ incident: Number(number), lines: [] });
    if (line.includes(SINGLE)) break;
    rows.at(-1)?.lines.push(line);
  }
  return rows.map(({ incident, lines }) => ({ ...shown, incident, ...saidIn(lines) }));
}

function saidIn(lines: readonly string[]): Omit<Reading, keyof Shown | 'incident'> {
  const text = lines.join('\n');
  // '7 failures since <…>', '✅ resolved … failed <…>–<…>' or 'ongoing since <…>'.
  const began = /(?:\d failures?|\d) since <(\d+)>|✅ resolved[^\n]*fail(?:ing|ed) <(\d+)>–|ongoing since <(\d+)>/.exec(
    text,
  );
  const since = began?.slice(1).find((time) => time !== undefined);
  // '7 failures' or '7 since <…>', but not '7 failures in all' or '7 failures found later'.
  const failures = /(?:^|\n| · )(\d+)(?: failures?| since <\d+>)(?! in all| found)/.exec(text)?.[1];
  const resolved = /✅ resolved( by)?/.exec(text);
  return {
    state: stateIn(text),
    isByItself: resolved?.[1] === undefined,
    since: since === undefined ? null : Number(since) * 1_000,
    failures: failures === undefined ? null : Number(failures),
    isContinued: text.includes('continued below') || text.includes('goes on as #'),
    isEscalation: text.includes('not acknowledged'),
  };
}

function stateIn(text: string): Reading['state'] {
  if (text.includes('✅ resolved')) return 'resolved';
  if (text.includes('⚪ recovering')) return 'recovering';
  return text.includes('⚪ no failures since') ? 'unconfirmed' : 'firing';
}

const NEWS: readonly (readonly [RegExp, News])[] = [
  [/^✅ This incident ended|(?:^| · )(?:✅ Resolved|⚪ Over)/, 'ended'],
  [/^🔴 This incident (?:fails|is failing) again|(?:^| · )🔴 (?:Fails|Failing) again/, 'failing-again'],
  [/^🔴 This incident came back/, 'back'],
  [/nobody had acknowledged|⏰ Still not acknowledged/, 'escalated'],
  [/^👣 You follow/, 'followed'],
];

export const newsIn = ({ text }: Pick<Shown, 'text'>): News => NEWS.find(([words]) => words.test(text))?.[1] ?? 'other';

/** A row, a line or news of an escalation. */
export const saysUnacknowledged = ({ text }: Pick<Shown, 'text'>): boolean =>
  newsIn({ text }) === 'escalated' || text.includes('· not acknowledged');

/** A direct message says at what time nobody had acknowledged the incident: it may be over by now. */
export const saysAtATime = ({ text }: Pick<Shown, 'text'>): boolean => text.startsWith('⏰ At');

/** The numbers in a message that isn't of rows. */
export const numbersIn = ({ text }: Pick<Shown, 'text'>): number[] =>
  [...text.matchAll(/(?:^|\n| · )#(\d+)(?= · |\n|$)/g)].map(([, number]) => Number(number));

/** When an outbreak began, as the line of its end says. */
export function beginningIn({ text }: Pick<Shown, 'text'>): number | null {
  const began = /[✅⚪].* · <!date\^(\d+)\^[^>]*>–<!date\^/.exec(text)?.[1];
  return began === undefined ? null : Number(began) * 1_000;
}
