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
  const title = [numberOf(incident), incidentTitle(incident)];
  if (what !== 'resolved') return title;
  const { tally, startedAt } = incident;
  return [
    ...title,
    failureCount(tally.verdict, tally.failures),
    plural(tally.subscribers, 'person', 'people'),
    mrkdwn`${timeNear(startedAt, at)}–${timeNear(tally.lastSeen, at)}`,
  ];
}

function eventWords(event: IncidentEvent, names: ReadonlyMap<string, string>): Markup {
  const by = (userId: string) => {
    const name = names.get(userId);
    return name === undefined ? mrkdwn`` : mrkdwn` by ${named(name)}`;
  };
  const at = time(event.at, 'time');
  switch (event.what) {
    case 'acknowledged':
      return mrkdwn`👀 Acknowledged${by(event.by)} at ${at}`;
    case 'unacknowledged':
      return mrkdwn`↩️ Unacknowledged${by(event.by)} at ${at}`;
    case 'assigned': {
      const to = names.get(event.to);
      return mrkdwn`🙋 Assigned${to === undefined ? '' : mrkdwn` to ${named(to)}`}${by(event.by)} at ${at}`;
    }
    case 'noted':
      return mrkdwn`📝 Note${by(event.by)} at ${at}: ${noteWords(event)}`;
    case 'muted':
      return mrkdwn`🔕 Muted${by(event.by)} until ${muteEnd({ from: event.at, until: event.until })}`;
    case 'unmuted':
      return mrkdwn`🔔 Unmuted${by(event.by)} at ${at}`;
    case 'relapsed':
      return mrkdwn`🔁 Failing again, seen at ${at}`;
    case 'resolved':
      return event.by === null ? mrkdwn`✅ Resolved: recovered by ${at}` : mrkdwn`✅ Resolved${by(event.by)} at ${at}`;
  }
}

/** To a person alone, and edited with the incident. */
export function toldMessage({ told, incident }: ToldContent): MessageContent {
  const words = toldWords(told);
  const beside = environmentName(incident);
  const row = incidentRow(incident, { messageId: null, beside, cause: null, namesPeople: true, isTerse: false });
  return message(joined([words, incidentSentence(incident, beside)], ' '), [section(words), ...row]);
}

function toldWords({ told, by, to }: ToldContent['told']): Markup {
  switch (told) {
    case 'assigned':
      return mrkdwn`🙋 ${person(by)} assigned this incident to you.`;
    case 'taken':
      return to === by || to === null
        ? mrkdwn`🙋 ${person(by)} took over this incident from you.`
        : mrkdwn`🙋 ${person(by)} assigned this incident, which you had, to ${person(to)}.`;
    case 'unacknowledged':
      return mrkdwn`↩️ ${person(by)} unacknowledged this incident, which you had acknowledged.`;
  }
}

/** Whom an event names. */
export function peopleIn(event: IncidentEvent): readonly string[] {
  const by = 'by' in event && event.by !== null ? [event.by] : [];
  return event.what === 'assigned' ? [...by, event.to] : by;
}
