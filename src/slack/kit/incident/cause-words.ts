import type { ExplainedCause } from '../../../causes/explain-cause.ts';
import type { Again, CauseEntry, PublicPage, Responsible } from '../../../causes/load-causes.ts';
import { MINUTE_MS } from '../../../lib/time/durations.ts';
import { describeDuration } from '../../../lib/time/time-range.ts';
import { joined, type Markup, mrkdwn, pageLink, sentences } from '../text.ts';
import { providerName } from './channel-name.ts';

const WHOSE: { readonly [R in Responsible]: string } = {
  recipient: 'Recipient',
  provider: 'Provider',
  credentials: 'Our credentials',
  content: 'Our content',
  limits: 'Our limits',
  network: 'Network',
  setup: 'Our setup',
  nobody: 'Works as designed',
};

export function causeLine(cause: ExplainedCause): Markup[] {
  if (!cause.known) return [];
  const { meaning, whose, again } = cause.entry;
  return [mrkdwn`💡 ${meaning} · ${WHOSE[whose]} · ${againWords(again)}`];
}

/** What to do next, and whose it is to do. */
export function nextLine(cause: ExplainedCause): Markup[] {
  if (!cause.known)
    return cause.provider === null || cause.statusPage === null
      ? []
      : [mrkdwn`→ ${statusLink(cause.provider, cause.statusPage)}`];
  const { next, whose } = cause.entry;
  return [mrkdwn`→ ${WHOSE[whose]}: ${next}`];
}

function statusLink(provider: string, page: PublicPage): Markup {
  return pageLink(page, `${providerName(provider)} status`);
}

export function causeLines(cause: ExplainedCause): Markup[] {
  if (!cause.known) return [unknownLine(cause)];
  const { entry, statusPage } = cause;
  const pages = [
    ...documentation(entry),
    ...(isWaiting(entry) && statusPage !== null ? [pageLink(statusPage, 'Status page')] : []),
  ];
  return [
    ...causeLine(cause),
    mrkdwn`→ ${joined([mrkdwn`${entry.next}`, ...(pages.length === 0 ? [] : [joined(pages, ' · ')])], ' ')}`,
  ];
}

function unknownLine({ provider, statusPage }: Extract<ExplainedCause, { known: false }>): Markup {
  const unknown = mrkdwn`💡 Notif has no explanation for this error`;
  if (provider === null || statusPage === null) return sentences([unknown]);
  return sentences([unknown, mrkdwn`See ${statusLink(provider, statusPage)}`]);
}

/** The provider's status page tells the end of such a wait. */
function isWaiting({ again, next }: CauseEntry): boolean {
  return typeof again === 'number' && /\bwait\b|status page/i.test(next);
}

function documentation({ source }: CauseEntry): Markup[] {
  return source === null ? [] : [pageLink(source, 'Documentation')];
}

function againWords(again: Again): string {
  if (again === 'never') return "sending again won't help";
  if (again === 'once-fixed') return 'send again once fixed';
  return `sending again can help after ${describeDuration(again * MINUTE_MS)}`;
}
