import { code, joined, type Markup, mrkdwn } from './text.ts';

const MOST_NAMED = 5;

/** 'workflow `order-shipped` or `weekly`': a part of what a filter takes; nothing where it takes all. */
export function onlyWords(noun: string, names: readonly string[]): Markup[] {
  if (names.length === 0) return [];
  const more = names.length > MOST_NAMED ? [mrkdwn`${names.length - MOST_NAMED} more`] : [];
  return [mrkdwn`${noun} ${joined([...names.slice(0, MOST_NAMED).map((name) => code(name)), ...more], ' or ')}`];
}
