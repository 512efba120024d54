import { expect, test } from 'vitest';
import { z } from 'zod';
import { plantRecording } from '../../sandbox/service/recordings.ts';
import { isAnnounced, RECORDED_VERDICTS } from '../../src/judging/verdict.ts';
import { silent } from '../../src/lib/logger.testing.ts';
import { MINUTE_MS } from '../../src/lib/time/durations.ts';
import { openDb } from '../../src/store/open.ts';
import recorded from '../recordings/alerts.json' with { type: 'json' };
import { markupIn } from '../support/evidence.ts';
import { passesInPieces } from '../support/in-pieces.ts';
import { ONCALL } from '../support/person.ts';
import { inWorld } from '../support/world.ts';

const MINUTES = 120;
/** Five situations begin each minute, and each lasts for ten, so that fifty overlap. */
const BEGIN_EACH_MINUTE = 5;
const LAST_MINUTES = 10;
/** One more than make a trouble more than somebody's own. */
const PEOPLE = 4;
/** Events without a failure, by their recordings. */
const EACH_MINUTE = ['with-tenant', 'sms-delivered', 'chat-delivered-with-phone'];

interface Failing {
  alert: string;
  event: string;
  /** Named where the event fails at several providers. */
  provider: string | null;
}

/**
 * The recorded events of each alert. The critical ones come first: one that came later would ring again. In the file, an event can be
 * followed by its provider: 'push-three-providers fcm'.
 */
const ALERTS: readonly (readonly Failing[])[] = Object.entries(recorded.alerts).map(([alert, names]) =>
  names.map((name) => {
    const [event = '', provider = null] = name.split(' ');
    return { alert, event, provider };
  }),
);

/** Who gets which recorded event, by minute: the events of a situation take turns over its people and its minutes. */
function drawStory(): Map<number, string[]> {
  const story = new Map<number, string[]>();
  const all = [
    ...ALERTS.map((failing) => failing.map(({ event }) => event)),
    ...recorded.quiet.map((event) => [event]),
  ];
  // Two alerts of the same event are one situation.
  const situations = new Map(all.map((events) => [events.join(), events]));
  for (const [index, events] of [...situations.values()].entries()) {
    const people = Math.max(PEOPLE, events.length);
    for (let nth = 0; nth < people; nth++) {
      const minute = Math.floor(index / BEGIN_EACH_MINUTE) + Math.floor((nth * LAST_MINUTES) / people);
      story.set(minute, [...(story.get(minute) ?? []), events[nth % events.length] ?? '']);
    }
  }
  return story;
}

const Row = z.object({
  incidentId: z.number(),
  provider: z.string(),
  subscriberId: z.string(),
  verdict: z.enum(RECORDED_VERDICTS),
});

/** Returns the wanted alert of each incident; of a failure that nobody wants to hear of, what it is instead. */
async function alertsByIncident(url = ''): Promise<Map<number, Set<string>>> {
  const { db, close } = await openDb({ kind: 'server', url }, { logger: silent });
  const rows = await db.rows(Row, 'SELECT incident_id, provider, subscriber_id, verdict FROM failures');
  await close();
  const found = new Map<number, Set<string>>();
  for (const { incidentId, provider, subscriberId, verdict } of rows) {
    if (!isAnnounced(verdict)) continue;
    const [name = ''] = subscriberId.split('~');
    const wanted = ALERTS.flat().find((each) => each.event === name && (each.provider ?? provider) === provider);
    found.set(incidentId, (found.get(incidentId) ?? new Set()).add(wanted?.alert ?? `${name} is ${verdict}`));
  }
  return found;
}

test(
  'two hours in which sixty recorded situations overlap have one alert for each that somebody wants to hear of',
  inWorld({ database: 'server' }, async (world) => {
    const { service, slack, log, variables } = world;
    await log.until('Events checked');
    const story = drawStory();
    for (let minute = 0; minute < MINUTES; minute++) {
      const fine = EACH_MINUTE.flatMap((name) => Array.from({ length: 5 }, () => name));
      for (const [nth, name] of [...(story.get(minute) ?? []), ...fine].entries())
        plantRecording(service.world, name, `${name}~${minute}-${nth}`);
      await passesInPieces(world, MINUTE_MS, MINUTE_MS);
    }
    const incidents = await alertsByIncident(variables.DATABASE_URL);
    const named = new Map([...incidents].map(([id, alerts]) => [id, [...alerts].join(' and ')]));
    expect([...named.values()].toSorted()).toEqual(Object.keys(recorded.alerts).toSorted());
    // An edit can leave out for length what was posted.
    const posts = slack.calls.of('chat.postMessage').filter(({ args }) => args.channel === ONCALL && !args.thread_ts);
    const posted = posts.flatMap((post) => [
      ...new Set(
        markupIn(post)
          .join()
          .match(/(?<=#)\d+/g),
      ),
    ]);
    expect(posted.map((id) => named.get(Number(id)) ?? `#${id}`).toSorted()).toEqual([...named.values()].toSorted());
  }),
  // Nothing is measured: a busy machine takes longer.
  1_200_000,
);
