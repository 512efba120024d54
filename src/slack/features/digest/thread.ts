import type { ThreadContent, ToldContent } from '../../../digests/message.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import type { IncidentEvent } from '../../../incidents/publish.ts';
import { lineSections, type MessageContent, message, section } from '../../kit/blocks.ts';
import { incidentRow, numberOf } from '../../kit/incident/incident-row.ts';
import {
  environmentName,
  incidentSentence,
  incidentTitle,
  muteEnd,
  noteWords,
} from '../../kit/incident/incident-words.ts';
import { failureCount } from '../../kit/incident/names.ts';
import { joined, type Markup, mrkdwn, named, person, plural } from '../../kit/text.ts';
import { time, timeNear } from '../../kit/times.ts';

const MOST_LINES = 10;

/** People are named without a mention, so nobody is notified. */
export function threadMessage({ event, incidents }: ThreadContent, names: ReadonlyMap<string, string>): MessageContent {
  const words = eventWords(event, names);
  const more = incidents.length - MOST_LINES;
  const lines = [
    ...incidents.slice(0, MOST_LINES).map((incident) => joined([words, ...factsOf(incident, event)], ' · ')),
    ...(more > 0 ? [mrkdwn`and ${plural(more, 'more incident')}`] : []),
  ];
  const shown = lines.length === 0 ? [words] : lines;
  return message(joined(shown, '; '), lineSections(shown));
}

function factsOf(incident: IncidentNow, { what, at }: IncidentEvent): Markup[] {
  const { tally, startedAt } = incident;
  const ended = [
    failureCount(tally.verdict, tally.failures),
    plural(tally.subscribers, 'person', 'people'),
    mrkdwn`${timeNear(startedAt, at)}–${timeNear(tally.lastSeen, at)}`,
  ];
  return [numberOf(incident), incidentTitle(incident), ...(what === 'resolved' ? ended : [])];
}

const WHAT: { readonly [What in IncidentEvent['what']]: string } = {
  acknowledged: '👀 Acknowledged',
  unacknowledged: '↩️ Unacknowledged',
  assigned: '🙋 Assigned',
  noted: '📝 Note',
  muted: '🔕 Muted',
  unmuted: '🔔 Unmuted',
  relapsed: '🔁 Failing again, seen',
  resolved: '✅ Resolved',
};

/** A person without a name is left out. */
function eventWords(event: IncidentEvent, names: ReadonlyMap<string, string>): Markup {
  const who = (word: string, userId: string) => {
    const name = names.get(userId);
    return name === undefined ? mrkdwn`` : mrkdwn` ${word} ${named(name)}`;
  };
  const to = event.what === 'assigned' ? who('to', event.to) : mrkdwn``;
  const by = !('by' in event) ? mrkdwn`` : event.by === null ? mrkdwn`: recovered` : who('by', event.by);
  const when =
    event.what === 'muted'
      ? mrkdwn`until ${muteEnd({ from: event.at, until: event.until })}`
      : mrkdwn`at ${time(event.at, 'time')}`;
  const note = event.what === 'noted' ? mrkdwn`: ${noteWords(event)}` : mrkdwn``;
  return mrkdwn`${mrkdwn`${WHAT[event.what]}`}${to}${by} ${when}${note}`;
}

/** Whom an event names. */
export function peopleIn(event: IncidentEvent): readonly string[] {
  const by = 'by' in event && event.by !== null ? [event.by] : [];
  return event.what === 'assigned' ? [...by, event.to] : by;
}

/** To a person alone, and edited with the incident. */
export function toldMessage({ told: { told, by, to }, incident }: ToldContent): MessageContent {
  const isTakenOver = to === by || to === null;
  const toOther = isTakenOver
    ? mrkdwn`took over this incident from you.`
    : mrkdwn`assigned this incident, which you had, to ${person(to)}.`;
  const words = {
    assigned: mrkdwn`🙋 ${person(by)} assigned this incident to you.`,
    taken: mrkdwn`🙋 ${person(by)} ${toOther}`,
    unacknowledged: mrkdwn`↩️ ${person(by)} unacknowledged this incident, which you had acknowledged.`,
  }[told];
  const beside = environmentName(incident);
  const row = incidentRow(incident, { messageId: null, beside, cause: null, namesPeople: true, isTerse: false });
  return message(joined([words, incidentSentence(incident, beside)], ' '), [section(words), ...row]);
}
