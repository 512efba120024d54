import type { ThreadContent } from '../../domain/alerting/delivery.ts';
import type { HistoryEvent, IncidentInHistory } from '../../domain/incidents/history.ts';
import { type MessageContent, message } from '../blocks/blocks.ts';
import { groupCount } from '../blocks/incident/group-words.ts';
import { incidentTitle, relapsedMark } from '../blocks/incident/incident-words.ts';
import { muteEnd } from '../blocks/incident/state-words.ts';
import { lineSections } from '../blocks/line-sections.ts';
import { joined, type Markup, mrkdwn, named, plural } from '../blocks/text.ts';
import { time, timeNear } from '../blocks/times.ts';

const MOST_LINES = 10;

/** People are named without a mention, so nobody is notified. */
export function threadMessage({ event, incidents }: ThreadContent, names: ReadonlyMap<string, string>): MessageContent {
  const words = eventWords(event, names);
  const more = incidents.length - MOST_LINES;
  const lines = [
    ...incidents.slice(0, MOST_LINES).map((one) => joined([words, ...incidentFacts(one, event)], ' · ')),
    ...(more > 0 ? [mrkdwn`and ${plural(more, 'more incident')}`] : []),
  ];
  const shown = lines.length === 0 ? [words] : lines;
  return message(joined(shown, '; '), lineSections(shown));
}

function eventWords(event: HistoryEvent, names: ReadonlyMap<string, string>): Markup {
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
      return mrkdwn`📝 Note${by(event.by)} at ${at}: “${event.text}”`;
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

/**
 * People can resolve an incident while it fails; only one that recovered by itself is known to have had no failures
 * since.
 */
function calmWords({ by, at: resolvedAt }: Extract<HistoryEvent, { what: 'resolved' }>, lastSeen: Date): Markup {
  const at = timeNear(lastSeen, resolvedAt);
  return by === null ? mrkdwn`no failures since ${at}` : mrkdwn`last failure seen at ${at}`;
}

function incidentFacts({ now, total }: IncidentInHistory, event: HistoryEvent): Markup[] {
  const title = mrkdwn`${incidentTitle(now)}${relapsedMark(now)}`;
  if (total === null) return [title];
  const calm = event.what === 'resolved' ? [calmWords(event, total.lastSeen)] : [];
  return [title, groupCount({ ...now.tally, ...total }), plural(total.subscribers, 'subscriber'), ...calm];
}
