import { expect, test } from 'vitest';
import { failed } from '../../sandbox/service/examples.ts';
import type { LocalSlack } from '../../sandbox/slack/server.ts';
import { inWorldAsleep, type World } from '../support/world.ts';

/** Refused messages, besides what Slack's validator was asked. */
function refusals({ calls }: LocalSlack): unknown[] {
  const refused = calls.all().filter(({ answer }) => answer?.ok === false);
  return refused.filter(({ method }) => method !== 'blocks.validate').map(({ answer }) => answer);
}

/** Returns whether a message, other than one to Slack's validator, had a block or cell of this type. */
function isSent(type: string, { calls }: LocalSlack): boolean {
  return calls.all().some(({ method, args }) => {
    return method !== 'blocks.validate' && JSON.stringify(args).replaceAll('\\', '').includes(`"type":"${type}"`);
  });
}

/** Ann looks at a list, a card and a chart, which have the same words in any form. */
async function looksAround({ ann }: World): Promise<void> {
  const listed = await ann.asks('/notif events subscriber:user-1');
  expect(listed.words).toMatch(/🔴 failed .* · txn_one .*\n.*🔴 failed .* · txn_two /);
  // Without buttons in its rows, a list has a select.
  const isSelect = listed.words.includes('Look up …');
  if (isSelect) await ann.picks('txn_two', 'notif.run:look-up', listed);
  else await ann.clicks('Look up', listed, 'txn_two');
  await ann.gets('transaction txn_two');
  expect((await ann.asks('/notif chart')).words).toMatch(/2 failures/);
}

type NewerKind = 'data_table' | 'action_cell' | 'data_visualization' | 'container';

/** What doctor calls the newer blocks. */
const NAMES: Readonly<Record<NewerKind, string>> = {
  data_table: 'tables',
  action_cell: 'buttons in tables',
  data_visualization: 'charts',
  container: 'collapsible sections',
};

/** The kinds that ann is shown. */
const SHOWN = ['data_table', 'action_cell', 'data_visualization'] as const;

function plantTwo({ service }: World): void {
  for (const transactionId of ['txn_two', 'txn_one'])
    service.world.plantEvent(failed('email', { subscriber: 'user-1', transactionId }));
}

const examines = async ({ ben }: World) => (await ben.asks('/notif doctor')).words;

test.each<{ refused: readonly NewerKind[] }>([
  { refused: ['action_cell'] },
  { refused: ['data_table', 'action_cell', 'data_visualization', 'container'] },
])(
  'newer blocks that Slack refuses are sent in their older form from the start, as doctor says: $refused',
  async ({ refused }) =>
    inWorldAsleep({}, async (world) => {
      const { slack, start } = world;
      plantTwo(world);
      slack.faults.refuseBlocks(...refused);
      await start();
      await looksAround(world);
      expect(refused.filter((kind) => isSent(kind, slack))).toEqual([]);
      expect(refusals(slack)).toEqual([]);
      const examined = await examines(world);
      for (const kind of refused)
        expect(examined).toMatch(new RegExp(`Slack refuses (.*, )?${NAMES[kind]}(, .*)? in this workspace`));
    })(),
);

test(
  'newer blocks stay in their older form while Slack says nothing clear, and are sent again once it takes them',
  inWorldAsleep({}, async (world) => {
    const { slack, log, start } = world;
    plantTwo(world);
    log.expects(/newer blocks/);
    slack.faults.refuseBlocks('data_table');
    await start();
    slack.faults.clear();
    for (const fault of [
      { kind: 'http', status: 500 },
      { kind: 'error', error: 'unknown_method' },
      { kind: 'rate-limited', retryAfterSeconds: 9 },
      { kind: 'reset', when: 'before' },
    ] as const) {
      const end = slack.faults.always('blocks.validate', fault);
      expect(await examines(world)).toContain('Slack refuses tables, buttons in tables in this workspace');
      end();
    }
    // One of the planted faults is an error that a bot could also cause.
    slack.calls.clear();
    await looksAround(world);
    expect(isSent('data_table', slack)).toBe(false);
    expect(await examines(world)).not.toContain('Slack refuses');
    await looksAround(world);
    expect(SHOWN.filter((kind) => isSent(kind, slack))).toEqual(SHOWN);
  }),
);
