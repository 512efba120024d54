import { isEvery } from '../../incidents/badness.ts';
import { type IncidentNow, isAllFailing } from '../../incidents/incident.ts';
import type { Verdict } from '../../judging/verdict.ts';
import { type Environment, labeled } from '../../lib/environment.ts';
import { maskedId } from '../../lib/text/shown-id.ts';
import { channelName, messageNoun } from '../../service/channels.ts';
import { capitalized, namedProvider, numberOf, workflowNameOf } from '../kit/names.ts';
import { badge, cut, joined, type Line, type Markup, mrkdwn } from '../kit/text.ts';
import { KINDS } from './condition-words.ts';

/** 'SendGrid refuses every email: key expired (401)' */
export function titleText(incident: IncidentNow, subject: string = subjectText(incident)): string {
  return incident.headline === null ? subject : `${subject}: ${whyText(incident)}`;
}

export function whyText({ headline, cause: { text }, isRecipientFault, attempts }: IncidentNow): string {
  if (headline === null) return `“${cut(maskedId(text), LONGEST_QUOTE)}”`;
  // What a provider says of nearly everyone is quoted: it's hardly the recipients' fault.
  if (isRecipientFault && attempts !== null && isEvery(attempts)) return `it says “${headline}”`;
  return `${headline}${/ \(\d{3,6}(?:, HTTP \d{3})?\)$/.exec(text)?.[0] ?? ''}`;
}

const LONGEST_QUOTE = 80;
/** With the environment before it, two lines on a phone. */
const LONGEST_TITLE = 56;

/** 'order-shipped and invoice', or null if a heading has no room for all that are hit: its row names them. */
export function hitWorkflows(incident: IncidentNow): string | null {
  const { kind, workflows, moreWorkflows } = incident;
  if (kind !== 'failures' || workflows.length === 0 || moreWorkflows > 0) return null;
  const names = workflows.map(workflowNameOf).join(' and ');
  const title = titleText(incident, `${subjectText(incident)} in ${names}`);
  return title.length > LONGEST_TITLE ? null : names;
}

/** 'Email via SendGrid': what it's about, beside which something newer says how it is. */
export function subjectName({ kind, channel, provider, isTest }: IncidentNow): string {
  if (kind !== 'failures') return KINDS[kind].noun;
  const what = capitalized(channelName(channel));
  const who = namedProvider(provider);
  return `${isTest ? 'Test: ' : ''}${who === null ? what : `${what} via ${who}`}`;
}

/** 'SendGrid refuses every email', 'SendGrid refused nearly every email', 'Email via SendGrid bounced' */
export function subjectText(incident: IncidentNow): string {
  const { kind, channel, provider, isTest, verdict, attempts, state, worst } = incident;
  const again = againWords(incident);
  if (kind !== 'failures') return `${KINDS[kind].subject(incident)}${again}`;
  const isFiring = state.is === 'firing';
  const who = namedProvider(provider);
  // Of the past it is known that nine of ten failed.
  const refused = isFiring ? isAllFailing(attempts) && 'refuses every' : worst === 'every' && 'refused nearly every';
  if (who !== null && verdict === 'failed' && refused)
    return `${isTest ? 'Test: ' : ''}${who} ${refused} ${messageNoun(channel)}${again}`;
  const [now, before] = DOES[verdict] ?? ['fails', 'failed'];
  return `${subjectName(incident)} ${isFiring ? now : before}${again}`;
}

function againWords({ state, outbreak }: IncidentNow): string {
  if (state.is !== 'firing' || outbreak === 1) return '';
  return outbreak === 2 ? ' again' : ` again (relapse ${outbreak - 1})`;
}

export function incidentTitle(incident: IncidentNow, subject: string = subjectText(incident)): Markup {
  return joined([mrkdwn`*${titleText(incident, subject)}*`, quoteOf(incident)], ' ');
}

export const quoteOf = (incident: IncidentNow): Line =>
  incident.kind === 'failures' && incident.headline === null && whyText(incident);

const DOES: { [V in Verdict]?: readonly [now: string, before: string] } = {
  warning: ['warns', 'warned'],
  complained: ['is reported as spam', 'was reported as spam'],
  unsubscribed: ['leads to unsubscribes', 'led to unsubscribes'],
  bounced: ['bounces', 'bounced'],
  stuck: ['is stuck', 'was stuck'],
};

export function incidentHeading(incident: IncidentNow, environments: readonly Environment[]): Markup {
  const where = badge(labeled(incident.environment, environments));
  return joined([incidentTitle(incident), where, numberOf(incident.id)]);
}
