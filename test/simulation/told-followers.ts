import { broke, type Discrepancy } from './account.ts';
import type { Stretch } from './facts.ts';
import { type News, newsIn } from './readings.ts';
import { freeMs, type IncidentThen, MINUTE, type Moment, type Told } from './told-facts.ts';
import { clock } from './virtual-time.ts';

/** Who follows an incident learns its end, and that it is back. */
export function followersUntold(told: Told): Discrepancy[] {
  return told.moments.flatMap((moment, index) => {
    const before = told.moments[index - 1];
    return before === undefined ? [] : untoldAt(told, before, moment);
  });
}

/** What happened between two moments and wasn't told to each follower by the promised time. */
function untoldAt(told: Told, before: Moment, moment: Moment): Discrepancy[] {
  const until = moment.at + told.withinMs(moment.at) + MINUTE;
  if (until > told.end || freeMs(told, before.at, until) < until - before.at) return [];
  return [...moment.incidents].flatMap(([incident, then]) => {
    const was = before.incidents.get(incident);
    const news = was === undefined ? null : newsBetween(was, then);
    if (news === null || isBrief(told, incident, moment, until + MINUTE)) return [];
    return followersOf(told, incident, before.at)
      .filter((person) => !hasLearned(told, { person, incident, news }, { from: before.at, to: until }))
      .filter((person) => !hasActed(told, person, incident, { from: before.at, to: moment.at }))
      .map((person) => broke('due', `${person}, who follows #${incident}, didn't learn by ${clock(until)}: ${news}`));
  });
}

function newsBetween(was: IncidentThen, is: IncidentThen): News | null {
  if (is.outbreak > was.outbreak) return is.state === 'firing' ? 'back' : null;
  if (was.state !== 'resolved' && is.state === 'resolved') return 'ended';
  return null;
}

/** Whether the incident changes again by that time: then its news may be left out. */
function isBrief({ moments }: Told, incident: number, moment: Moment, until: number): boolean {
  const then = moment.incidents.get(incident);
  return moments.some(({ at, incidents }) => {
    const later = incidents.get(incident);
    return at > moment.at && at <= until && (later?.state !== then?.state || later?.outbreak !== then?.outbreak);
  });
}

/** Those that Slack takes direct messages for. */
function followersOf({ done, takesDirectMessages }: Told, incident: number, at: number): string[] {
  const isFollowing = new Map<string, boolean>();
  for (const act of done)
    if (act.incidentId === incident && act.at < at && (act.what === 'followed' || act.what === 'unfollowed'))
      isFollowing.set(act.actor, act.what === 'followed');
  return [...isFollowing.keys()].filter((person) => isFollowing.get(person) && takesDirectMessages(person));
}

const hasLearned = (
  { shown, aboutOf }: Told,
  { person, incident, news }: { person: string; incident: number; news: News },
  { from, to }: Stretch,
): boolean =>
  shown.some(
    (each) =>
      each.place === person &&
      aboutOf.get(each.deliveryId)?.includes(incident) &&
      newsIn(each) === news &&
      each.at >= from &&
      each.at <= to,
  );

/** Nobody is told what they did themselves. */
const hasActed = ({ done }: Told, person: string, incident: number, { from, to }: Stretch): boolean =>
  done.some(({ actor, incidentId, at }) => actor === person && incidentId === incident && at >= from && at <= to);
