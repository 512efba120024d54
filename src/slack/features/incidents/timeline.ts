import { postsAbout } from '../../../alerts/digest-says.ts';
import { changesWithIds } from '../../../changes/changes.ts';
import { refOf } from '../../../incidents/incident.ts';
import { type IncidentRef, incidentIn, writeIncidentRef } from '../../../incidents/incident-ref.ts';
import { incidentNumbered } from '../../../incidents/lists.ts';
import { timelineOf } from '../../../incidents/timeline.ts';
import { labeled } from '../../../lib/environment.ts';
import { resendsOf } from '../../../sendings/progress.ts';
import type { SlackCtx } from '../../ctx.ts';
import { actions, button, preformatted, section } from '../../kit/blocks.ts';
import { parseIncident, writeValue } from '../../kit/button-values.ts';
import { shareButton } from '../../kit/buttons.ts';
import { sendFile } from '../../kit/csv-file.ts';
import { asMessage, fittingMessage, type MessageContent } from '../../kit/message.ts';
import { numberOf } from '../../kit/names.ts';
import { mrkdwn, present } from '../../kit/text.ts';
import type { Command } from '../../router/command.ts';
import { answerRoute, type Route, routesFor } from '../../router/route.ts';
import { mutedIn, type Timeline, timelineLines } from './timeline-lines.ts';

const FILE = 'incident.timeline-file';

/** Lines that a message shows of a timeline; a longer one can be downloaded. */
const A_SCREEN = 40;

export function timelineCommand(ctx: SlackCtx): Command {
  return {
    word: 'timeline',
    purpose: 'incident',
    usage: '<incident>',
    about: 'what happened to an incident, when it was alerted, and who did what, to copy',
    examples: ['#17'],
    for: 'everyone',
    filters: [],
    answer: ({ words }) => timelineAnswer(ctx, incidentIn(words, 'timeline')),
  };
}

export function timelineRoutes(ctx: SlackCtx): Route[] {
  return routesFor('members', [answerRoute(FILE, parseIncident, (ref, { userId }) => sendTimeline(ctx, ref, userId))]);
}

async function timelineIn(
  { db, now, environments, channels, workspace }: SlackCtx,
  ref: IncidentRef,
): Promise<Timeline> {
  const incident = await incidentNumbered(db, ref, now());
  const entries = await timelineOf(db, incident.id);
  const posts = await postsAbout(db, incident.id);
  const people = entries.flatMap(({ actor, change }) => {
    const to = change !== null && 'to' in change && typeof change.to === 'string' ? change.to : null;
    return present([actor, to]);
  });
  const places = [...posts.map(({ channel }) => channel), ...entries.flatMap((entry) => mutedIn(entry) ?? [])];
  const shown = [...new Set(places)].map(async (channel) => [channel, await channels.publicName(channel)] as const);
  const publicOnes = (await Promise.all(shown)).flatMap(([id, name]) => (name === null ? [] : [[id, name] as const]));
  return {
    incident,
    environment: labeled(incident.environment, environments),
    entries,
    posts,
    changes: await changesWithIds(
      db,
      entries.flatMap(({ change }) => (change?.action === 'change-nearby' ? [change.change] : [])),
    ),
    resends: await resendsOf(db, incident.id),
    names: new Map([...(await workspace.namesOf([...new Set(people)])), ...publicOnes]),
  };
}

export const timelineAnswer = async (ctx: SlackCtx, ref: IncidentRef): Promise<MessageContent> =>
  timelineMessage(await timelineIn(ctx, ref));

export function timelineMessage(timeline: Timeline): MessageContent {
  const { id } = timeline.incident;
  const ref = writeIncidentRef(refOf(timeline.incident));
  const [heading = '', summary = '', ...lines] = timelineLines(timeline);
  return fittingMessage(Math.min(lines.length, A_SCREEN), (shown) => {
    const left = lines.length - shown;
    const first = left === 0 ? shown : Math.ceil(shown / 3);
    const middle = left === 0 ? [] : [`… ${left} more …`];
    const text = [heading, summary, ...lines.slice(0, first), ...middle, ...lines.slice(first + left)];
    return [
      section(mrkdwn`Timeline of ${numberOf(id)}`),
      preformatted(text.join('\n')),
      ...actions([left > 0 && button('Download', FILE, writeValue([ref])), shareButton(`timeline "#${ref}"`)]),
    ];
  });
}

async function sendTimeline(ctx: SlackCtx, ref: IncidentRef, userId: string): Promise<MessageContent> {
  const timeline = await timelineIn(ctx, ref);
  const { id, environment } = timeline.incident;
  await sendFile(ctx, userId, {
    filename: `timeline-${environment}-${id}.txt`,
    title: `Timeline of #${id}`,
    text: `${timelineLines(timeline).join('\n')}\n`,
  });
  return asMessage('📄 The timeline is in your DMs with Notif, for you alone.');
}
