import type { WebClient } from '@slack/web-api';
import type { Logger } from '../../lib/logger.ts';
import type { NewerKind, NewerKinds } from '../kit/as-text.ts';
import { chartBlock, folded, type MessageBlock, section } from '../kit/blocks.ts';
import { lookUpButton } from '../kit/buttons.ts';
import { dataTable } from '../kit/data-table.ts';
import { person } from '../kit/text.ts';
import { nullIfRefused } from '../slack-errors.ts';

const BUTTON = lookUpButton({ environment: 'production', target: { kind: 'event', id: '65f000000000000000000001' } });
const table = (...cells: Parameters<typeof dataTable>[0]['rows'][number]) =>
  dataTable({ caption: 'Example', columns: cells.map((_, index) => `Column ${index}`), rows: [cells] });

const chart = chartBlock({
  ...{ title: 'Example', xLabel: 'Time', yLabel: 'Failures', categories: ['12:00', '12:30'] },
  series: ['Email', 'SMS'].map((name) => ({ name, values: [1, 0] })),
});

const EXAMPLES: Readonly<Record<NewerKind, readonly [words: string, MessageBlock]>> = {
  data_table: ['tables', table('text', 1_250, person('U0EXAMPLE'))],
  action_cell: ['buttons in tables', table('text', { ...BUTTON, accessibility_label: 'Example' })],
  data_visualization: ['charts', chart],
  container: ['collapsible sections', folded('Example', [section('Words')])],
};

/** Asks Slack's validator. An unclear answer changes nothing. */
export function createNewerKinds({ blocks }: WebClient, logger: Pick<Logger, 'info' | 'warn'>) {
  const refused = new Set<string>();

  async function isRefused(kind: string, example: MessageBlock): Promise<boolean> {
    try {
      const answer = await nullIfRefused(['invalid_blocks'], blocks.validate({ blocks: [example] }));
      if (answer === null) refused.add(kind);
      else refused.delete(kind);
    } catch (err) {
      logger.info({ err, kind }, "Slack's validator of blocks didn't answer");
    }
    return refused.has(kind);
  }

  /** Returns what Slack refuses, in words for people: 'tables'. */
  async function check(): Promise<string[]> {
    const examples = Object.entries(EXAMPLES);
    const areRefused = await Promise.all(examples.map(([kind, [, example]]) => isRefused(kind, example)));
    const found = examples.filter((_, index) => areRefused[index]).map(([, [words]]) => words);
    if (found.length > 0) logger.warn({ refused: found }, 'Slack refuses newer blocks: older ones are sent');
    return found;
  }

  return { check, refused: (): NewerKinds => refused };
}
