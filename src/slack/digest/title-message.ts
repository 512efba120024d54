import { GROWTH } from '../../domain/alerting/alert-decision.ts';
import { type DigestContent, type DigestRow, ROW_REASONS, type RowReason } from '../../domain/alerting/delivery.ts';
import type { Environment } from '../../domain/environment.ts';
import { WATCHED_VERDICTS } from '../../domain/failures/verdict.ts';
import { isOverIn } from '../../domain/incidents/incident.ts';
import { shownVerdict } from '../blocks/incident/incident-words.ts';
import { VERDICT_EMOJI } from '../blocks/incident/verdict-word.ts';
import { grouped } from '../blocks/text.ts';

/** Without markup: '🔴 production · 3 new incidents · 1 back · 1 up 10×'. */
export function digestTitle(content: DigestContent, { label }: Pick<Environment, 'label'>): string {
  return `${emoji(content)} ${label} · ${reasonsIn(content)}`;
}

export function reasonsIn(content: DigestContent): string {
  const news = ROW_REASONS.map((reason) => [reason, content.reasons[reason] ?? 0] as const)
    .filter(([, count]) => count > 0)
    .map(([reason, count], index) => words(reason, count, index === 0, content.isFirst));
  if (news.length === 0) return 'no new failures';
  const resolved = content.rows.filter(isResolved).length + content.moreStates.resolved;
  return [...news, ...(resolved > 0 ? [`${resolved} resolved`] : [])].join(' · ');
}

/** What was already failing before Notif started isn't called new. */
function words(reason: RowReason, incidents: number, isFirstWord: boolean, isFirstDigest: boolean): string {
  const noun = incidents === 1 ? 'incident' : 'incidents';
  const count = grouped(incidents);
  if (reason === 'new') return isFirstDigest ? `${count} ${noun}` : `${count} new ${noun}`;
  return isFirstWord ? `${count} ${noun} ${REASON_WORDS[reason]}` : `${count} ${REASON_WORDS[reason]}`;
}

const REASON_WORDS: { readonly [R in Exclude<RowReason, 'new'>]: string } = {
  relapsed: 'relapsed',
  critical: 'now critical',
  back: 'back',
  grown: `up ${GROWTH}×`,
  'goes-on': 'ongoing',
  missed: 'failed while muted',
};

/** That of the most severe incident that still fails; white if all are recovering, green once all are resolved. */
function emoji({ rows, moreIncidents, moreStates }: DigestContent): string {
  if (rows.length === 0) return '⚪';
  const failing = rows.filter(({ state }) => !isOverIn(state.is));
  if (failing.length === 0 && moreStates.over === moreIncidents)
    return rows.every(isResolved) && moreStates.resolved === moreIncidents ? '✅' : '⚪';
  const gravest = WATCHED_VERDICTS.find((verdict) => failing.some((row) => shownVerdict(row) === verdict));
  return VERDICT_EMOJI[gravest ?? 'failed'];
}

export function isResolved({ state }: DigestRow): boolean {
  return state.is === 'resolved';
}
