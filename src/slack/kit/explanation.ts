import type { ExplainedCause } from '../../causes/explain-cause.ts';
import type { Again } from '../../causes/load-causes.ts';
import { type Attempts, type Badness, isEvery, isStillMany } from '../../incidents/badness.ts';
import { describeDuration, MINUTE_MS } from '../../lib/time/durations.ts';
import { joined, type Line, type Markup, mrkdwn, pageLink } from './text.ts';

const WHOSE = {
  recipient: 'Recipient',
  provider: 'Provider',
  credentials: 'Our credentials',
  content: 'Our content',
  limits: 'Our limits',
  network: 'Network',
  setup: 'Our setup',
  nobody: 'Works as designed',
  unknown: 'Unknown',
};

/** What a cause means, null without an explanation. `attempts` are those around the failures, null where they aren't known. */
export function meaningLine(cause: ExplainedCause, attempts: Attempts | null = null): Markup | null {
  const { entry } = withoutBlame(cause, attempts);
  return entry && mrkdwn`💡 ${entry.meaning} · ${againWords(entry.again)}`;
}

/** What fails for nearly everyone is no recipient's fault, whatever a provider says of each. */
export function withoutBlame(cause: ExplainedCause, attempts: Attempts | null = null): ExplainedCause {
  if (cause.entry?.whose !== 'recipient' || attempts === null || !isEvery(attempts)) return cause;
  const meaning = `The provider says so of nearly everyone: “${cause.entry.meaning}”`;
  const next = 'Fails for nearly everyone, so first check our account there: its key, sender, limits and setup.';
  return { ...cause, entry: { ...cause.entry, whose: 'unknown', again: 'once-fixed', meaning, next, source: null } };
}

function againWords(again: Again): string {
  if (again === 'never') return "sending again won't help";
  if (again === 'once-fixed') return 'send again once fixed';
  return `sending again can help after ${describeDuration(again * MINUTE_MS)}`;
}

/** What to do next. `worst` is how bad the outbreak was at most. */
export function nextLine(cause: ExplainedCause, attempts: Attempts | null = null, worst: Badness = 'one'): Line {
  const { entry, statusPage } = withoutBlame(cause, attempts);
  const page = statusPage && pageLink(statusPage, 'Status page');
  if (entry === null) return page && mrkdwn`→ ${page}`;
  const isTheirs = ['provider', 'network'].includes(entry.whose);
  const isOfMany = entry.whose === 'recipient' && attempts !== null && isStillMany(attempts, worst);
  const whose = isOfMany ? 'Many fail, so first check our account there. If it is fine' : WHOSE[entry.whose];
  return joined(['→', entry.whose !== 'unknown' && `${whose}:`, entry.next, isTheirs && page], ' ');
}

export function explanationLines(cause: ExplainedCause, attempts: Attempts | null = null): Line[] {
  const { entry } = withoutBlame(cause, attempts);
  if (entry === null) return [joined(['💡 Notif has no explanation for this error.', nextLine(cause)], ' ')];
  const documentation = entry.source && pageLink(entry.source, 'Documentation');
  return [meaningLine(cause, attempts), joined([nextLine(cause, attempts), documentation], ' ')];
}
