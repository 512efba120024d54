import { isEvery } from '../../incidents/badness.ts';
import { type IncidentNow, isAllFailing } from '../../incidents/incident.ts';
import type { Verdict } from '../../judging/verdict.ts';
import { type Environment, labeled } from '../../lib/environment.ts';
import { maskedId } from '../../lib/text/shown-id.ts';
import { channelName, messageNoun } from '../../service/channels.ts';
import { capitalized, namedProvider, numberOf, workflowNameOf } from '../kit/names.ts';
import { badge, bold, cut, joined, type Line, type Markup, mrkdwn } from '../kit/text.ts';
import { KINDS } from './condition-words.ts';

/** Of a provider's sentence in a title, in characters. */
const LONGEST_QUOTE = 80;
/** In characters, on a phone: a line of a heading, and what stands before a title in it ('🔴 Production · '). */
const HEADING_LINE = 34;
const BEFORE_TITLE = 15;

interface Tenses {
  now: string;
  before: string;
}

const FAILS: Tenses = { now: 'fails', before: 'failed' };
const DOES: { [V in Verdict]?: Tenses } = {
  warning: { now: 'warns', before: 'warned' },
  complained: { now: 'is reported as spam', before: 'was reported as spam' },
  unsubscribed: { now: 'leads to unsubscribes', before: 'led to unsubscribes' },
  bounced: { now: 'bounces', before: 'bounced' },
  stuck: { now: 'is stuck', before: 'was stuck' },
};

/** 'SendGrid refuses every email: key expired (401)' */
export function titleText(incident: IncidentNow, subject: string = subjectText(incident)): string {
  return incident.headline === null ? subject : `${subject}: ${whyText(incident)}`;
}

/** Why it fails: the catalog's headline with the provider's code, else the provider's sentence. */
export function whyText({ headline, cause: { text }, isRecipientFault, attempts }: IncidentNow): string {
  if (headline === null) return `“${cut(maskedId(text), LONGEST_QUOTE)}”`;
  // What a provider says of nearly everyone is quoted: it's hardly the recipients' fault.
  if (isRecipientFault && attempts !== null && isEvery(attempts)) return `it says “${headline}”`;
  return `${headline}${/ \(\d{3,6}(?:, HTTP \d{3})?\)$/.exec(text)?.[0] ?? ''}`;
}

function fitsTwoLines(title: string): boolean {
  let lines = 1;
  // Each word takes a blank before it, also the first.
  let used = BEFORE_TITLE - 1;
  for (const { length } of title.split(' ')) {
    const isNext = used + 1 + length > HEADING_LINE;
    if (isNext) lines += 1;
    used = isNext ? length : used + 1 + length;
  }
  return lines <= 2;
}

const isWhyBelow = (incident: IncidentNow) => !fitsTwoLines(titleText(incident));

const titleWithRoom = (incident: IncidentNow, subject: string) =>
  isWhyBelow(incident) ? subject : titleText(incident, subject);

/** 'SendGrid refuses every email in order-shipped: key expired (401)', as far as a heading has room. */
export function headingText(incident: IncidentNow): string {
  const hit = hitWorkflows(incident);
  const subject = hit === null ? subjectText(incident) : `${subjectText(incident)} in ${hit}`;
  return titleWithRoom(incident, subject);
}

/** The reason, if the heading doesn't give it. */
export const belowHeading = (incident: IncidentNow): Line =>
  quoteOf(incident) || (isWhyBelow(incident) && bold(whyText(incident)));

/** 'order-shipped and invoice', or null if a heading has no room for all that are hit: its row names them. */
export function hitWorkflows(incident: IncidentNow): string | null {
  const { kind, workflows, moreWorkflows } = incident;
  if (kind !== 'failures' || workflows.length === 0 || moreWorkflows > 0) return null;
  const names = workflows.map(workflowNameOf).join(' and ');
  const subject = `${subjectText(incident)} in ${names}`;
  return fitsTwoLines(titleWithRoom(incident, subject)) ? names : null;
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
  const { kind, channel, provider, isTest, verdict, state } = incident;
  const again = againWords(incident);
  if (kind !== 'failures') return `${KINDS[kind].subject(incident)}${again}`;
  const who = namedProvider(provider);
  const refuses = verdict === 'failed' && refusesWords(incident);
  if (who !== null && refuses) return `${isTest ? 'Test: ' : ''}${who} ${refuses} ${messageNoun(channel)}${again}`;
  const { now, before } = DOES[verdict] ?? FAILS;
  return `${subjectName(incident)} ${state.is === 'firing' ? now : before}${again}`;
}

/** Null unless all fail. Of the past it is only known whether nine of ten failed. */
function refusesWords({ state, attempts, worst }: IncidentNow): string | null {
  if (state.is === 'firing') return isAllFailing(attempts) ? 'refuses every' : null;
  return worst === 'every' ? 'refused nearly every' : null;
}

/** `outbreak` counts from 1. */
function againWords({ state, outbreak }: IncidentNow): string {
  if (state.is !== 'firing' || outbreak === 1) return '';
  return outbreak === 2 ? ' again' : ` again (relapse ${outbreak - 1})`;
}

export function incidentTitle(incident: IncidentNow, subject: string = subjectText(incident)): Markup {
  return joined([mrkdwn`*${titleText(incident, subject)}*`, quoteOf(incident)], ' ');
}

const quoteOf = (incident: IncidentNow): Line =>
  incident.kind === 'failures' && incident.headline === null && whyText(incident);

export function incidentHeading(incident: IncidentNow, environments: readonly Environment[]): Markup {
  const where = badge(labeled(incident.environment, environments));
  return joined([incidentTitle(incident), where, numberOf(incident.id)]);
}
