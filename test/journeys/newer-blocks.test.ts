import { expect, test } from 'vitest';
import { failed } from '../../sandbox/service/examples.ts';
import type { LocalSlack } from '../../sandbox/slack/server.ts';
import { inWorldAsleep, type World } from '../support/world.ts';

/** Refused messages, besides what Slack's validator was asked. */
function refusals({ calls }: LocalSlack): unknown[] {
  const refused = calls.all().filter(({ answer }) => answer?.ok === false);
  return refused.filter(({ method }) => method !== 'blocks.validate').map(({ answer }) => answer);
}

/** Whether what ann is shown has a block or cell of this type. */
function isSent(type: string, { calls }: LocalSlack): boolean {
  return calls.all().some(({ method, args }) => {
    return method !== 'blocks.validate' && JSON.stringify(args).replaceAll('\\', '').includes(`"type":"${type}"`);
  });
}

/** A list, a chart and a card with details, all with the same words in any form. */
async function looksAround({ ann }: World): Promise<void> {
  const listed = await ann.asks('/notif events subscriber:user-1');
  expect(listed.words).toMatch(/🔴 failed .* · txn_one .*\n.*🔴 failed .* · txn_two /);
  const isSelect = listed.words.includes('Look up …');
  if (isSelect) await ann.picks('txn_two', 'notif.run:look-up', listed);
  else await ann.clicks('Look up', listed, 'txn_two');
  await ann.gets('transaction txn_two');
  expect((await ann.asks('/notif chart')).words).toMatch(/2 failures/);
}

test(
  'what Slack refuses of the newer blocks is sent in its older form from the start, as doctor says, and nothing changes while Slack says nothing clear',
  inWorldAsleep({}, async (world) => {
    const { ben, slack, service, log } = world;
    for (const transactionId of ['txn_two', 'txn_one'])
      service.world.plantEvent(failed('email', { subscriber: 'user-1', transactionId }));
    const examines = async () => (await ben.asks('/notif doctor')).words;
    const kinds = { data_table: 'tables', action_cell: 'buttons in tables', data_visualization: 'charts' } as const;
    const container = 'collapsible sections';
    for (const refused of [{ action_cell: kinds.action_cell }, { ...kinds, container }]) {
      slack.faults.refuseBlocks(...(Object.keys(refused) as (keyof typeof kinds)[]));
      slack.calls.clear();
      await world.start();
      await looksAround(world);
      expect([Object.keys(refused).filter((kind) => isSent(kind, slack)), refusals(slack)]).toEqual([[], []]);
      const examined = await examines();
      for (const words of Object.values(refused))
        expect(examined).toMatch(new RegExp(`Slack refuses (.*, )?${words}(, .*)? in this workspace`));
      await world.stop();
    }
    log.expects(/newer blocks/);

    slack.faults.refuseBlocks('data_table');
    await world.start();
    slack.faults.clear();
    for (const fault of [
      { kind: 'http', status: 500 },
      { kind: 'error', error: 'unknown_method' },
      { kind: 'rate-limited', retryAfterSeconds: 9 },
      { kind: 'reset', when: 'before' },
    ] as const) {
      const end = slack.faults.always('blocks.validate', fault);
      expect(await examines()).toContain('Slack refuses tables, buttons in tables in this workspace');
      end();
    }
    slack.calls.clear();
    await looksAround(world);
    expect(isSent('data_table', slack)).toBe(false);
    expect(await examines()).not.toContain('Slack refuses');
    await looksAround(world);
    expect(Object.keys(kinds).filter((kind) => isSent(kind, slack))).toEqual(Object.keys(kinds));
  }),
);
