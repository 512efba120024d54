import type { ExplainedCause } from '../../../causes/explain-cause.ts';
import type { Again, Responsible } from '../../../causes/load-causes.ts';
import type { Changed, EnvironmentChange } from '../../../changes/change.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { MINUTE_MS } from '../../../lib/time/durations.ts';
import { describeDuration } from '../../../lib/time/time-range.ts';
import { joined, type Markup, mrkdwn, named, pageLink } from '../text.ts';
import { time, timeNear } from '../times.ts';
import { channelName, providerName } from './names.ts';

const WHOSE: { [R in Responsible]: string } = {
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

function againWords(again: Again): string {
  if (again === 'never') return "sending again won't help";
  if (again === 'once-fixed') return 'send again once fixed';
  return `sending again can help after ${describeDuration(again * MINUTE_MS)}`;
}

export function nextLine(cause: ExplainedCause): Markup[] {
  if (cause.known) return [mrkdwn`→ ${WHOSE[cause.entry.whose]}: ${cause.entry.next}`];
  const { provider, statusPage } = cause;
  const page = provider && statusPage && pageLink(statusPage, `${providerName(provider)} status`);
  return page ? [mrkdwn`→ ${page}`] : [];
}

export function causeLines(cause: ExplainedCause): Markup[] {
  if (!cause.known) return [joined([mrkdwn`💡 Notif has no explanation for this error.`, ...nextLine(cause)], ' ')];
  const { entry, statusPage } = cause;
  const pages = [
    ...(entry.source === null ? [] : [pageLink(entry.source, 'Documentation')]),
    ...(entry.whose === 'provider' && statusPage !== null ? [pageLink(statusPage, 'Status page')] : []),
  ];
  return [
    ...causeLine(cause),
    joined([mrkdwn`→ ${entry.next}`, ...(pages.length === 0 ? [] : [joined(pages, ' · ')])], ' '),
  ];
}

export function changedWords(what: Changed): Markup {
  if (what.kind === 'deploy') return mrkdwn`🚀 Deploy: ${what.name}`;
  const aspects = joined(what.aspects.map(maskedId), ', ');
  if (what.kind === 'workflow') return mrkdwn`⚙️ Workflow ${named(maskedId(what.name))}: ${aspects}`;
  const provider = providerName(what.provider);
  const title = provider === what.name ? named(provider) : mrkdwn`${named(maskedId(what.name))} (${named(provider)})`;
  return mrkdwn`⚙️ ${title} integration (${channelName(what.channel)}): ${aspects}`;
}

export function changedWhen({ at, after }: Pick<EnvironmentChange, 'at' | 'after'>): Markup {
  return after === null ? time(at, 'day') : mrkdwn`between ${time(after, 'day')} and ${timeNear(at, after, 'seconds')}`;
}
