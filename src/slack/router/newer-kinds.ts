import type { Logger } from '../../lib/logger.ts';
import type { NewerKind, NewerKinds } from '../kit/as-text.ts';
import { chartBlock, folded, type MessageBlock, section } from '../kit/blocks.ts';
import { lookUpButton } from '../kit/buttons.ts';
import { dataTable } from '../kit/data-table.ts';
import { mrkdwn, person } from '../kit/text.ts';

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
  container: ['collapsible sections', folded('Example', [section(mrkdwn`Words`)])],
};

/** `validate` resolves with null if Slack's answer is unclear, which changes nothing. */
export function createNewerKinds(
  validate: (blocks: readonly MessageBlock[]) => Promise<'accepted' | 'refused' | null>,
  logger: Pick<Logger, 'warn'>,
) {
  const refused = new Set<string>();

  /** Returns what Slack refuses, in words for people: 'tables'. */
  async function check(): Promise<string[]> {
    const check = async ([kind, [words, example]]: [string, readonly [string, MessageBlock]]) => {
      const answer = await validate([example]);
      if (answer === 'refused') refused.add(kind);
      if (answer === 'accepted') refused.delete(kind);
      return refused.has(kind) ? [words] : [];
    };
    const found = (await Promise.all(Object.entries(EXAMPLES).map(check))).flat();
    if (found.length > 0) logger.warn({ refused: found }, 'Slack refuses newer blocks: older ones are sent');
    return found;
  }

  return { check, refused: (): NewerKinds => refused };
}
