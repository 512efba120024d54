import { unescaped } from '../../domain/input/slack-text.ts';
import type { Markup } from './text.ts';

/** Converts Slack's markup to plain text for other places: times in a zone (an IANA name), channels as links. */
export function plainText(markup: Markup, timeZone: string): string {
  const text = `${markup}`
    .replace(/<!date\^(\d+)\^([^|]*)\|[^>]*>/g, (_, seconds: string, format: string) =>
      clockTime(new Date(Number(seconds) * 1000), format, timeZone),
    )
    .replace(/<#([CG][A-Z0-9]+)>/g, 'https://slack.com/app_redirect?channel=$1')
    .replace(/[*`]/g, '');
  return unescaped(text);
}

/** Formats a time like the date token's format: with its date, its seconds, or neither. */
function clockTime(at: Date, format: string, timeZone: string): string {
  const day = format.includes('date') ? ({ month: 'short', day: 'numeric' } as const) : {};
  const seconds = format.includes('secs') ? ({ second: '2-digit' } as const) : {};
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...seconds } as const;
  const zone = timeZone === 'UTC' ? ' UTC' : '';
  return `${new Intl.DateTimeFormat('en-US', { timeZone, ...day, ...clock }).format(at)}${zone}`;
}
