import { addMilliseconds } from 'date-fns';
import { and, desc, eq } from 'drizzle-orm';
import { z } from 'zod';
import type { IncidentNow } from '../incidents/incident.ts';
import { incidentsWithIds, incidentWithId, renewVersions } from '../incidents/incident-rows.ts';
import { incidentNow } from '../incidents/lists.ts';
import { type IncidentEntry, isRise, lastEntryBefore, noteHappenings } from '../incidents/timeline.ts';
import { followersOf } from '../incidents/verbs.ts';
import { fingerprintOf } from '../lib/text/hash.ts';
import { boundedId, storableText, stored } from '../lib/text/shown-id.ts';
import type { Initiator, MessageKind } from '../outbox/kinds.ts';
import { enqueueDirect, redrawMessage } from '../outbox/messages.ts';
import { type MessageRow, slackMessages } from '../outbox/tables.ts';
import { knownPeople } from '../people/identity.ts';
import { StoredTime } from '../store/columns.ts';
import type { Db } from '../store/db.ts';
import type { PersonalContent, PersonalNews } from './content.ts';
import { subjectOf } from './digest-says.ts';

const PERSONAL = 'personal';

const News = z.discriminatedUnion('what', [
  z.object({ what: z.enum(['assigned', 'taken']), actor: z.string(), to: z.string() }),
  z.object({ what: z.literal('unacknowledged'), actor: z.string() }),
  z.object({ what: z.enum(['escalated', 'ended', 'back', 'failing-again', 'every', 'critical', 'followed']) }),
]);

export const PersonalKept = z.object({ incidentId: z.number(), outbreak: z.number(), at: StoredTime, news: News });

/** That these didn't arrive concerns more people than whoever caused them, who was told: the timeline says so in any case. */
const ALWAYS_NOTED: readonly PersonalNews['what'][] = ['assigned', 'escalated'];

/** News of an incident for one person. It stays as it was told; the newest shows the incident as it is now. */
export const personalKind: MessageKind<PersonalContent> = {
  Kept: PersonalKept,
  mustArrive: false,
  async draw(db, message, at) {
    const { incidentId, outbreak, at: since, news } = PersonalKept.parse(message.content);
    const incident = await incidentNow(db, incidentId, at);
    if (incident === null) return { is: 'untrue', why: 'the incident is no longer kept' };
    if (message.state !== 'posted' && !isSo(news, outbreak, incident))
      return { is: 'untrue', why: 'it is no longer so' };
    // Of another outbreak, the row would contradict the news.
    const isOfNow = incident.outbreak === outbreak;
    const showsIncident = isOfNow && (message.state !== 'posted' || (await isNewestOf(db, message)));
    const { id, channel } = message;
    const shown = showsIncident ? incident : null;
    const content: PersonalContent = { kind: PERSONAL, id, channel, news, at: since, incident: shown, title: incident };
    const said = [{ subject: subjectOf(incidentId), says: stored({}) }];
    const knownBy = fingerprintOf(PERSONAL, incident.environment, incident.key, outbreak, news);
    return { is: 'drawn', content, said, knownBy, nextAt: null, isLast: !showsIncident };
  },
  async told(tx, message, { at, isPost }) {
    if (!isPost || message.owner === null) return;
    const isOlder = and(
      eq(slackMessages.owner, message.owner),
      eq(slackMessages.state, 'posted'),
      eq(slackMessages.isLeft, false),
    );
    const older = await tx.select().from(slackMessages).where(isOlder);
    for (const { id } of older) if (id !== message.id) await redrawMessage(tx, id, at);
  },
  async unreached(tx, message, { code, isTold }, now) {
    const { incidentId, outbreak, news } = PersonalKept.parse(message.content);
    if (isTold && !ALWAYS_NOTED.includes(news.what)) return;
    const incident = await incidentWithId(tx, incidentId);
    if (incident === null) return;
    await renewVersions(tx, incident.environment, [incident.id]);
    const occurrence = { action: 'unreached', to: boundedId(message.channel), code: storableText(code) } as const;
    await noteHappenings(tx, [{ incident, outbreak, occurrence }], now);
  },
};

/** What isn't so by the time that it is posted is left out. */
function isSo({ what }: PersonalNews, outbreak: number, incident: IncidentNow): boolean {
  const isOver = incident.state.is === 'resolved' || incident.outbreak > outbreak;
  switch (what) {
    case 'ended':
      return incident.state.is === 'resolved' && incident.outbreak === outbreak;
    case 'escalated':
      return !isOver && incident.acknowledged === null;
    case 'back':
    case 'failing-again':
    case 'every':
    case 'critical':
      return !isOver;
    default:
      return true;
  }
}

/** Whether it's the newest message of the incident to this person. */
async function isNewestOf(db: Db, { id, owner }: MessageRow): Promise<boolean> {
  const isPosted = and(eq(slackMessages.owner, owner ?? ''), eq(slackMessages.state, 'posted'));
  const [newest] = await db.select().from(slackMessages).where(isPosted).orderBy(desc(slackMessages.postedAt)).limit(1);
  return newest?.id === id;
}

/** Who has an incident (it's assigned to them, or they acknowledged it) and who follows it learn what happens to it, but not what they do themselves. */
export async function tellPeople(tx: Db, entries: readonly IncidentEntry[], now: Date): Promise<void> {
  if (entries.length === 0) return;
  const personOf = await knownPeople(tx);
  for (const [place, entry] of entries.filter(isNews).entries()) {
    // Messages are posted in the order in which it happened.
    const createdAt = addMilliseconds(now, place);
    const told = new Map((await newsIn(tx, entry)).map((direct) => [personOf(direct.person), direct]));
    // Following is confirmed: if Slack refuses that, who follows learns so at once.
    if (entry.change?.action !== 'followed') told.delete(personOf(entry.actor));
    const at = happenedAt(entry);
    for (const direct of told.values())
      await enqueueNews(tx, { ...entry, at }, { ...direct, subject: `entry ${entry.id}` }, createdAt);
  }
}

/** What an incident came to in one pass is one message: each shows it as it is now. */
function isNews(entry: IncidentEntry, place: number, entries: readonly IncidentEntry[]): boolean {
  const isEarlier = (other: IncidentEntry): boolean => other.incidentId === entry.incidentId && isTrouble(other);
  return !isRise(entry) || !entries.slice(0, place).some(isEarlier);
}

const isTrouble = (entry: IncidentEntry): boolean =>
  isRise(entry) ||
  entry.change?.action === 'back' ||
  entry.change?.action === 'reopened' ||
  (entry.change?.action === 'failing-again' && !entry.change.isBrief);

/** What failed while it wasn't checked didn't begin when that was seen. */
const happenedAt = ({ change, at }: IncidentEntry): Date =>
  change?.action === 'failing-again' || change?.action === 'back' ? change.failedAt : at;

/** What a person is told, and who caused that. */
interface Direct {
  person: string;
  news: PersonalNews;
  initiator: Initiator | null;
}

/** What an entry means for people, each with the news in their words. */
async function newsIn(tx: Db, entry: IncidentEntry): Promise<readonly Direct[]> {
  const { change, actor, channel } = entry;
  if (change === null) return [];
  const initiator = actor === null ? null : { person: actor, channel };
  switch (change.action) {
    case 'failing-again':
      return change.isBrief ? [] : toConcerned(tx, entry.incidentId, { what: change.action });
    case 'back':
    case 'critical':
      return toConcerned(tx, entry.incidentId, { what: change.action });
    case 'worse':
      return change.badness === 'every' ? toConcerned(tx, entry.incidentId, { what: 'every' }) : [];
    case 'ended':
      return change.ending === 'unconfirmed' ? [] : toConcerned(tx, entry.incidentId, { what: 'ended' });
    case 'resolved':
      return toConcerned(tx, entry.incidentId, { what: 'ended' });
    case 'reopened':
      return toConcerned(tx, entry.incidentId, { what: 'back' });
    case 'followed':
      return actor === null ? [] : [{ person: actor, news: { what: 'followed' }, initiator }];
    case 'assigned': {
      if (actor === null) return [];
      const before = await lastEntryBefore(tx, entry, (other) => other.change?.action === 'assigned');
      const former = before?.change?.action === 'assigned' ? before.change.to : null;
      const assigned: Direct = { person: change.to, news: { what: 'assigned', actor, to: change.to }, initiator };
      if (former === null || former === change.to) return [assigned];
      return [assigned, { person: former, news: { what: 'taken', actor, to: change.to }, initiator }];
    }
    case 'unacknowledged': {
      const before = await lastEntryBefore(tx, entry, (other) => other.change?.action === 'acknowledged');
      const owner = before?.actor ?? null;
      if (actor === null || owner === null) return [];
      return [{ person: owner, news: { what: 'unacknowledged', actor }, initiator }];
    }
    default:
      return [];
  }
}

async function toConcerned(tx: Db, incidentId: number, news: PersonalNews): Promise<readonly Direct[]> {
  const [row] = await incidentsWithIds(tx, [incidentId]);
  const owners = [row?.incident.assignedTo, row?.outbreak.acknowledgedBy].filter((person) => person != null);
  return [
    ...owners.map((person) => ({ person, news, initiator: null })),
    ...(await followersOf(tx, incidentId)).map((follower) => ({ person: follower.person, news, initiator: follower })),
  ];
}

async function enqueueNews(
  tx: Db,
  { incidentId, outbreak, at }: Pick<IncidentEntry, 'incidentId' | 'outbreak' | 'at'>,
  { person, news, initiator, subject }: Direct & { subject: string },
  now: Date,
): Promise<void> {
  const incident = await incidentWithId(tx, incidentId);
  if (incident === null) return;
  const content = stored({ incidentId, outbreak: outbreak ?? incident.outbreak, at, news });
  const { environment } = incident;
  const owner = `${person} ${subjectOf(incidentId)}`;
  const message = { kind: PERSONAL, owner, subject, channel: person, environment, content, createdAt: now };
  await enqueueDirect(tx, { ...message, initiator });
}

/** Once an outbreak, however many watches escalate it. */
export async function enqueueEscalated(tx: Db, incidentId: number, now: Date): Promise<void> {
  const incident = await incidentWithId(tx, incidentId);
  if (incident === null) return;
  const personOf = await knownPeople(tx);
  const { assignedTo, outbreak } = incident;
  const assignee = assignedTo === null ? [] : [{ person: assignedTo, initiator: null }];
  const followers = await followersOf(tx, incidentId);
  const following = followers.map((initiator) => ({ person: initiator.person, initiator }));
  const people = new Map([...assignee, ...following].map((direct) => [personOf(direct.person), direct]));
  const told = { news: { what: 'escalated' } as const, subject: `escalated ${outbreak}` };
  for (const direct of people.values())
    await enqueueNews(tx, { incidentId, outbreak, at: now }, { ...direct, ...told }, now);
}
