import { describe, expect, test } from 'vitest';
import { failed } from '../../sandbox/service/examples.ts';
import { ONCALL } from '../support/person.ts';
import { openWorld, sharedWorld } from '../support/world.ts';

const world = sharedWorld(() => openWorld({ environments: ['production', 'europe'] }));

/** After this time a poll is due, and a delivery that failed once is tried again. */
const A_MINUTE = 60_000;

describe('a failure is announced once', () => {
  const due: string[] = [];

  /** Plants a failure with a new cause, which is due to be read. */
  function fails(word: string, environment = 'production'): void {
    const service = world.serviceOf(environment).world;
    service.plantEvent(failed('email', { subscriber: word }, { raw: JSON.stringify({ message: word }) }));
    due.push(word);
    world.passes(A_MINUTE);
  }

  test('when it happened while the bot was down', async () => {
    fails('ape');
    await world.log.until('Message posted');
    await world.stop();
    fails('bee');
    await world.start();
    await world.ann.sees('“bee”', ONCALL);
  });

  test('when Slack is busy, or loses the answer to a post', async () => {
    const { slack, log, ann } = world;
    slack.faults.next('chat.postMessage', { kind: 'rate-limited', retryAfterSeconds: 1 });
    slack.faults.next('chat.postMessage', { kind: 'reset', when: 'after' });
    fails('cat');
    fails('dog', 'europe');
    await log.until('"outcome":"refused"');
    await log.until('"outcome":"unknown"');
    fails('gnu', 'europe');
    for (const word of ['cat', 'dog', 'gnu']) await ann.sees(`“${word}”`, ONCALL);
    await log.until('Message found in its channel after a lost answer');
    // People see a message before the bot has Slack's answer, which the next outage would cut off.
    await log.until('Message posted', 4);
  });

  test('when Slack was unreachable for a while', async () => {
    const { lines, log, ann } = world;
    await lines.slack.cut();
    fails('hen');
    await log.until("Slack can't be reached");
    await lines.slack.restore();
    fails('ibex', 'europe');
    for (const word of ['hen', 'ibex']) await ann.sees(`“${word}”`, ONCALL);
  });

  test("and marked as a possible duplicate when an answer was lost and the channel's history can't be read", async () => {
    const { slack, log, ann } = world;
    slack.faults.next('chat.postMessage', { kind: 'reset', when: 'after' });
    slack.faults.next('conversations.history', { kind: 'error', error: 'missing_scope' });
    const lost = log.saying('"outcome":"unknown"').length;
    fails('koi');
    await log.until('"outcome":"unknown"', lost + 1);
    due.pop();
    fails('lynx', 'europe');
    const repeat = await ann.sees('Possible duplicate: this may already have been posted', ONCALL);
    expect(repeat.words).toContain('“koi”');
    await ann.sees('“lynx”', ONCALL);
  });

  test('after another restart, too', async () => {
    const { ann, log, passes } = world;
    await world.stop();
    const polls = log.saying('Events checked').length;
    await world.start();
    await log.until('Events checked', polls + 2);
    passes(A_MINUTE);
    await log.until('Events checked', polls + 4);
    const said = ann.messages(ONCALL).map(({ words }) => words);
    expect(due.map((word) => said.filter((words) => words.includes(`“${word}”`)).length)).toEqual(due.map(() => 1));
  });
});
