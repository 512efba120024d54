import type { NewerKindsFound } from '../../health/newer-kinds.ts';
import type { Logger } from '../../lib/logger.ts';
import type { NewerKind, NewerKinds } from '../kit/as-text.ts';
import { alert, chartBlock, folded, type MessageBlock, section } from '../kit/blocks.ts';
import { lookUpButton } from '../kit/buttons.ts';
import { dataTable } from '../kit/data-table.ts';
import { mrkdwn, person } from '../kit/text.ts';
import { resultView } from '../kit/view.ts';

type Answer = 'accepted' | 'refused' | 'unclear';
type Validate = (args: { blocks: readonly MessageBlock[] } | { view: object }) => Promise<Answer>;

const WORDS = mrkdwn`Words`;
const BUTTON = lookUpButton({ environment: 'production', target: { kind: 'event', id: '65f000000000000000000001' } });
const table = (...cells: Parameters<typeof dataTable>[0]['rows'][number]) =>
  dataTable({ caption: 'Example', columns: cells.map((_, index) => `Column ${index}`), rows: [cells] });

const chart = chartBlock({
  ...{ title: 'Example', xLabel: 'Time', yLabel: 'Failures', categories: ['12:00', '12:30'] },
  series: ['Email', 'SMS'].map((name) => ({ name, values: [1, 0] })),
});

const EXAMPLES: Readonly<Record<NewerKind, readonly [words: string, Parameters<Validate>[0]]>> = {
  data_table: ['tables', { blocks: [table('text', 1_250, person('U0EXAMPLE'))] }],
  action_cell: ['buttons in tables', { blocks: [table('text', { ...BUTTON, accessibility_label: 'Example' })] }],
  data_visualization: ['charts', { blocks: [chart] }],
  container: ['collapsible sections', { blocks: [folded('Example', [section(WORDS)])] }],
  alert: ['alerts in forms', { view: resultView({ blocks: [alert(WORDS)] }) }],
};

/** Validates an example of each newer kind. An unclear answer changes nothing. */
export function createNewerKinds(validate: Validate, logger: Pick<Logger, 'warn'>) {
  const refused = new Set<string>();

  async function check(): Promise<NewerKindsFound> {
    const answers = await Promise.all(
      Object.entries(EXAMPLES).map(async ([kind, [words, example]]) => {
        return { kind, words, answer: await validate(example) };
      }),
    );
    for (const { kind, answer } of answers) {
      if (answer === 'refused') refused.add(kind);
      if (answer === 'accepted') refused.delete(kind);
    }
    const wordsWith = (which: Answer) => answers.filter(({ answer }) => answer === which).map(({ words }) => words);
    const result = { refused: wordsWith('refused'), unclear: wordsWith('unclear') };
    if (result.refused.length > 0) logger.warn(result, 'Slack refuses newer blocks: older ones are sent');
    return result;
  }

  return { check, refused: (): NewerKinds => refused };
}
