import { addMilliseconds } from 'date-fns';
import type { IncidentNow } from '../incidents/incident.ts';
import { incidentsWithIds } from '../incidents/incident-rows.ts';
import { matchedIn } from '../incidents/matched.ts';
import { type IncidentEntry, lastEntryBefore, type TimelineEntry } from '../incidents/timeline.ts';
import { coversWholeIncidents } from '../judging/filter.ts';
import type { Db } from '../store/db.ts';
import type { WatchFilter } from '../watches/settings.ts';

/** An entry, and its incident as far as a watch covers it. */
export interface EntryTurn {
  entry: IncidentEntry;
  incident: IncidentNow;
}

/** The turn with the numbers of what the filter covers. Null: it is about other failures of the incident. */
export async function coveredTurn(db: Db, turn: EntryTurn, filter: WatchFilter): Promise<EntryTurn | null> {
  const { entry, incident } = turn;
  const { change, outbreak } = entry;
  const isWhole = coversWholeIncidents(filter);
  if (incident.kind !== 'failures') return turn;
  if (change?.action === 'critical' && !incident.critical) return null;
  if (change?.action === 'ended' && isWhole) {
    const { from: beganAt, to: lastAt, failures, subscribers, isAtLeast } = change;
    return { entry, incident: { ...incident, beganAt, lastAt, failures, subscribers, isAtLeast } };
  }
  if (isEnd(entry)) return { entry, incident: { ...incident, failures: await failuresAt(db, turn, entry.at, filter) } };
  if (change?.action !== 'found-later' || isWhole) return turn;
  const before = await lastEntryBefore(db, entry, saysHowMany);
  if (outbreak !== incident.outbreak || before === null) return null;
  const of = await failuresAt(db, turn, entry.at, filter);
  const failures = of - (await failuresAt(db, turn, before.at, filter));
  return failures === 0 ? null : { entry: { ...entry, change: { ...change, failures, of } }, incident };
}

/** It says how many failures there were. */
const saysHowMany = (entry: TimelineEntry): boolean => isEnd(entry) || entry.change?.action === 'found-later';

const isEnd = ({ change }: TimelineEntry): boolean => change?.action === 'ended' || change?.action === 'resolved';

/** How many of its newest outbreak's failures were known at a time: what was recorded later, an entry of its own says. */
async function failuresAt(db: Db, { incident }: EntryTurn, at: Date, filter: WatchFilter): Promise<number> {
  const [known] = await incidentsWithIds(db, [incident.id]);
  if (known === undefined) return incident.failures;
  const { coversFrom: from, coversTo: to, environment } = known.outbreak;
  const later = { id: incident.id, from, to, recordedSince: addMilliseconds(at, 1) };
  const matched = await matchedIn(db, environment, [later], filter);
  return incident.failures - (matched.get(incident.id)?.total.failures ?? 0);
}
