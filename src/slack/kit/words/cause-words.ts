import type { ExplainedCause } from '../../../causes/explain-cause.ts';
import type { Again, Responsible } from '../../../causes/load-causes.ts';
import { describeDuration, MINUTE_MS } from '../../../lib/time/durations.ts';
import { joined, type Line, mrkdwn, pageLink } from '../text.ts';
import { providerName } from './names.ts';

const WHOSE: { [R in Responsible]: string } = {
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

export function meaningLine(cause: ExplainedCause): Line {
  if (!cause.known) return null;
  const { meaning, again } = cause.entry;
  return mrkdwn`💡 ${meaning} · ${againWords(again)}`;
}

function againWords(again: Again): string {
  if (again === 'never') return "sending again won't help";
  if (again === 'once-fixed') return 'send again once fixed';
  return `sending again can help after ${describeDuration(again * MINUTE_MS)}`;
}

export function nextLine(cause: ExplainedCause): Line {
  if (cause.known) {
    const { whose, next } = cause.entry;
    return joined(
      [whose === 'unknown' ? mrkdwn`→ ${next}` : mrkdwn`→ ${WHOSE[whose]}: ${next}`, statusLink(cause)],
      ' ',
    );
  }
  const { provider, statusPage } = cause;
  const page = provider && statusPage && pageLink(statusPage, `${providerName(provider)} status`);
  return page ? mrkdwn`→ ${page}` : null;
}

export function explanationLines(cause: ExplainedCause): Line[] {
  if (!cause.known) return [joined(['💡 Notif has no explanation for this error.', nextLine(cause)], ' ')];
  const { source } = cause.entry;
  const documentation = source && pageLink(source, 'Documentation');
  return [meaningLine(cause), joined([nextLine(cause), documentation], ' ')];
}

function statusLink({ statusPage, entry: { whose } }: Extract<ExplainedCause, { known: true }>): Line {
  return ['provider', 'network'].includes(whose) && statusPage && pageLink(statusPage, 'Status page');
}
