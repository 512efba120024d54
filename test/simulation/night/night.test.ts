import { expect, test } from 'vitest';
import { type Evidence, stateBy } from '../../../src/domain/incidents/incident.ts';
import { describeStore } from '../../../src/store/store.testing.ts';
import type { Workflow } from '../week/week.ts';
import { type Night, type PlayedNight, playNight } from './play-night.ts';
import { at, attemptsOf, EVENING, flapping, muting, type Outage, SENDGRID } from './script.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const CAUSE = 'The provided authorization grant is invalid';

/** A quiet night except for some outages of SendGrid, with an attempt every `everyMs`, for each workflow in turn. */
function aNight(outages: readonly Outage[], minutes: number, everyMs: number, workflowCount: number): Night {
  const workflows = Array.from(
    { length: workflowCount },
    (_, index): Workflow => ({ identifier: `workflow-${index}`, channel: 'email', provider: 'sendgrid', share: 1 }),
  );
  const range = { from: EVENING, to: EVENING + minutes * MINUTE };
  return {
    ...{ ...range, workflows, acts: [], slackAway: [], pollMs: MINUTE },
    attempts: attemptsOf(workflows, everyMs, outages, range),
  };
}

const outage = (from: string, to: string): Outage => ({
  provider: 'sendgrid',
  from: at(from),
  to: at(to),
  cause: CAUSE,
});

/** Returns the messages in the channel itself, which notify everyone who follows it, and the replies in their threads. */
function postsOf({ scenes }: PlayedNight) {
  const posts = scenes.flatMap((scene) =>
    'message' in scene && scene.message.isNew ? [{ ...scene.message, at: scene.at }] : [],
  );
  return {
    messages: posts.filter(({ threadTs }) => threadTs === null),
    replies: posts.filter(({ threadTs }) => threadTs !== null),
  };
}

const untruthsOf = ({ check }: PlayedNight) => check.untruths.map(({ what }) => what);

describeStore('a night on call', (store) => {
  test('has one message, and one resolved reply without a mention, for a provider that is down over 20 workflows', async () => {
    const played = await playNight(aNight([outage('20:02', '20:05')], 22, SECOND, 20), store());
    const { messages, replies } = postsOf(played);
    expect(messages.map(({ mentions }) => mentions)).toEqual([true]);
    expect(replies.map(({ message: { text }, mentions }) => [text.slice(0, 10), mentions])).toEqual([
      ['✅ Resolved', false],
    ]);
    const recovering = played.scenes.find(
      (scene) => 'message' in scene && JSON.stringify(scene.message.message).includes('recovering: no failures since'),
    );
    expect((recovering?.at ?? Number.POSITIVE_INFINITY) - at('20:05')).toBeLessThanOrEqual(6 * MINUTE);
    expect(untruthsOf(played)).toEqual([]);
    expect(played.check.checked.rows).toBeGreaterThan(15);
  });

  test.each([
    [2, 'every 4 minutes for an hour', 15, 4 * MINUTE],
    [3, 'every 8 minutes for half an hour, recovering in between', 4, 8 * MINUTE],
  ])('has %i messages for a cause that flaps %s', async (messages, _, times, everyMs) => {
    const outages = flapping('sendgrid', CAUSE, at('20:02'), times, everyMs, MINUTE);
    const played = await playNight(aNight(outages, (times * everyMs) / MINUTE + 4, 4 * SECOND, 2), store());
    const posted = postsOf(played).messages.map(({ at: time }) => time);
    expect(posted).toHaveLength(messages);
    const pauses = posted.slice(1).map((time, index) => time - (posted[index] ?? 0));
    expect(Math.min(...pauses, 10 * MINUTE)).toBeGreaterThanOrEqual(10 * MINUTE - 5 * SECOND);
    expect(untruthsOf(played)).toEqual([]);
  });

  test('has one message for a relapse, within a poll interval and two seconds after the failure', async () => {
    const outages = [outage('20:02', '20:04'), outage('20:14:30', '20:16')];
    const played = await playNight(aNight(outages, 18, 2 * SECOND, 5), store());
    const relapse = postsOf(played).messages.slice(1);
    expect(relapse.map(({ message }) => message.text)).toEqual([expect.stringContaining('1 incident relapsed')]);
    expect(relapse[0]?.at).toBeLessThanOrEqual(at('20:14:31') + MINUTE + 2 * SECOND);
    expect(relapse[0]?.message.text).not.toContain('falling');
    expect(untruthsOf(played)).toEqual([]);
  });

  test('reports what overlapping mutes withheld once, after a pause of Slack, and fresh failures as fresh', async () => {
    const outages = [outage('20:02', '20:12'), outage('20:20', '20:30'), outage('20:46', '20:47')];
    const played = await playNight(
      {
        ...aNight(outages, 49, 5 * SECOND, 2),
        acts: [
          muting('20:05', 'Ben mutes the row until 20:08', SENDGRID, '20:08'),
          muting('20:10', 'Ben mutes the watch until 20:25', null, '20:25'),
          muting('20:23', 'Ben mutes the incident until 20:34', SENDGRID, '20:34'),
        ],
        slackAway: [{ from: at('20:34'), to: at('20:36') }],
      },
      store(),
    );
    expect(untruthsOf(played)).toEqual([]);
    const recordedWhileMuted = 12 * (2 + 2 + 10);
    expect(postsOf(played).messages.map(({ message }) => message.text.match(/\d+ while muted/)?.[0])).toEqual([
      undefined,
      `${recordedWhileMuted} while muted`,
      undefined,
    ]);
  });
});

/**
 * Returns the number of minutes after the last failure at which the incident recovers, counted in whole minutes of successes. Null if it
 * only turns quiet after an hour.
 */
function saidAfter(share: number, attemptsAMinute: number): number | null {
  for (let minutes = 1; minutes <= 60; minutes += 1) {
    const now = new Date(EVENING + minutes * MINUTE);
    const evidence: Evidence = {
      ...{ lastFailureAt: new Date(EVENING), lastRecordedAt: new Date(EVENING), checkedTo: now, hasOwnSuccess: true },
      ...{ failures: 1_000 * share, successesMeanwhile: 1_000 * (1 - share) },
      successesSince: Math.floor(minutes * attemptsAMinute),
      unchecked: [],
    };
    const state = stateBy(evidence, now);
    if (state !== 'firing') return state === 'quiet' ? null : minutes;
  }
  return null;
}

test('an incident recovers as the table of docs/guarantees.md says, by attempts a minute and failure rate', () => {
  const shares = [1, 0.5, 0.1, 0.01];
  const table = [60, 6, 1, 0.2].map((rate) => shares.map((share) => saidAfter(share, rate)));
  expect(table).toEqual([
    [5, 5, 5, 5],
    [5, 5, 5, 50],
    [5, 5, 29, null],
    [5, 25, null, null],
  ]);
});
