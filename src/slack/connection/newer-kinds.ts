import type { WebClient } from '@slack/web-api';
import type { Logger } from '../../lib/logger.ts';
import { folded, type MessageBlock, section } from '../kit/blocks.ts';
import { lookUpButton } from '../kit/buttons.ts';
import { chartBlock } from '../kit/chart-block.ts';
import { type Cell, dataTable } from '../kit/data-table.ts';
import { person, present } from '../kit/text.ts';
import type { NewerKind, RefusedKinds } from '../kit/text-blocks.ts';
import { nullIfRefused } from '../slack-errors.ts';

const lookUp = lookUpButton({ environment: 'production', target: { kind: 'event', id: '65f000000000000000000001' } });
const table = (...cells: readonly Cell[]) =>
  dataTable({ caption: 'Example', columns: cells.map((_, index) => `Column ${index}`), rows: [cells] });

const chart = chartBlock({
  title: 'Example',
  xLabel: 'Time',
  yLabel: 'Failures',
  categories: ['12:00', '12:30'],
  series: ['Email', 'SMS'].map((name) => ({ name, values: [1, 0] })),
});

/** Of each kind, its name for people, and a block that has it. */
const EXAMPLES: Record<NewerKind, readonly [words: string, MessageBlock]> = {
  data_table: ['tables', table('text', 1_250, person('U0EXAMPLE'))],
  action_cell: ['buttons in tables', table('text', { ...lookUp, accessibility_label: 'Example' })],
  data_visualization: ['charts', chart],
  container: ['collapsible sections', folded('Example', [section('Words')])],
};

export interface NewerKinds {
  refused: RefusedKinds;
  /** Asks Slack's validator about an example of each, and returns what is refused, in words. */
  check: () => Promise<readonly string[]>;
}

export function createNewerKinds({ blocks }: Pick<WebClient, 'blocks'>, logger: Logger): NewerKinds {
  const refused = new Set<string>();

  async function check(): Promise<readonly string[]> {
    const checks = Object.entries(EXAMPLES).map(async ([kind, [words, example]]) => {
      try {
        const answer = await nullIfRefused(['invalid_blocks'], blocks.validate({ blocks: [example] }));
        if (answer === null) refused.add(kind);
        else refused.delete(kind);
      } catch (err) {
        logger.info({ err, kind }, "Slack's validator of blocks didn't answer");
      }
      return refused.has(kind) && words;
    });
    const unaccepted = present(await Promise.all(checks));
    if (unaccepted.length > 0) logger.warn({ refused: unaccepted }, 'Slack refuses newer blocks: older ones are sent');
    return unaccepted;
  }

  return { check, refused };
}
