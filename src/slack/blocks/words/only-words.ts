import type { Audience } from '../../../domain/text/audience.ts';
import { idCode } from '../shown-id.ts';
import { joined, type Markup, mrkdwn } from '../text.ts';

const MOST_NAMED = 5;

/** 'workflow `order-shipped` or `weekly`': a part of what a filter takes, for an audience; nothing where it takes all. */
export function onlyWords(noun: string, names: readonly string[], audience: Audience = 'everyone'): Markup[] {
  if (names.length === 0) return [];
  const more = names.length > MOST_NAMED ? [mrkdwn`${names.length - MOST_NAMED} more`] : [];
  return [
    mrkdwn`${noun} ${joined([...names.slice(0, MOST_NAMED).map((name) => idCode(name, audience)), ...more], ' or ')}`,
  ];
}
