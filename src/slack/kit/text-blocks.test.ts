import { describe, expect, test } from 'vitest';
import { expectFit, HOSTILE, wordsOf } from '../slack.testing.ts';
import { folded, section } from './blocks.ts';
import { chartBlock } from './chart-block.ts';
import { dataTable } from './data-table.ts';
import { message } from './message.ts';
import { channelLink, mrkdwn, person } from './text.ts';
import { hasNewerKinds, textBlocks } from './text-blocks.ts';
import { time } from './times.ts';
import { resultView } from './views.ts';

const words = mrkdwn`Words`;

test('a data table holds texts, numbers and texts that sort by a number', () => {
  const table = dataTable({
    caption: 'Messages',
    columns: ['Workflow', 'Failures', 'Last'],
    rows: [
      ['order-shipped', 1_250, { text: '12:04', sortBy: 1_764_000_000 }],
      ['<welcome> & *more*', '', ''],
    ],
  });
  expect(table.rows.slice(1)).toEqual([
    [
      { type: 'raw_text', text: 'order-shipped' },
      { type: 'raw_number', value: 1_250, text: '1,250' },
      { type: 'raw_number', value: 1_764_000_000, text: '12:04' },
    ],
    [
      { type: 'raw_text', text: '<welcome> & *more*' },
      { type: 'raw_text', text: '–' },
      { type: 'raw_text', text: '–' },
    ],
  ]);
  expectFit(message([section(words), table]));
});

describe('a chart', () => {
  const chart = (names: readonly string[]) =>
    chartBlock({
      title: 'Failures in Production',
      categories: ['12:00', '12:30', '13:00'],
      series: names.map((name, index) => ({ name, values: [index, 0, 2] })),
      xLabel: 'Time',
      yLabel: 'Failures',
    });

  test('has bars for one series and areas for several', () => {
    expect(chart(['Email']).chart.type).toBe('bar');
    expect(chart(['Email', 'SMS']).chart.type).toBe('area');
  });

  test('fits whatever its names, and keeps equal ones apart', () => {
    const block = chart([`${HOSTILE}1`.repeat(5), `${HOSTILE}1`.repeat(6), 'x'.repeat(30), 'x'.repeat(40), 'a', 'a']);
    expect(block.chart.series).toHaveLength(6);
    expectFit(message([section(words), block]));
  });

  test('is a line for each point with a value as text', () => {
    const [text] = textBlocks([chart(['Email · SendGrid', 'SMS'])]);
    expect(wordsOf({ blocks: text ? [text] : [] })).toBe(
      'Failures in Production · Time\n12:00 · 1 SMS\n13:00 · 2 Email · SendGrid, 2 SMS',
    );
    const alone = textBlocks([chart(['SMS'])]).slice(0, 1);
    expect(wordsOf({ blocks: alone })).toBe('Failures in Production · SMS · Time\n13:00 · 2');
  });
});

describe('blocks of newer kinds as text', () => {
  test('are sections with the same words, and other blocks stay', () => {
    const table = dataTable({
      caption: 'Events',
      columns: ['Name', 'Count'],
      rows: [
        ['a <b>', 3],
        ['c', ''],
      ],
    });
    const blocks = [section(words), folded('Raw details', [section(mrkdwn`inside`)]), table];
    expect(hasNewerKinds(blocks)).toBe(true);
    const texts = textBlocks(blocks);
    expect(wordsOf({ blocks: texts })).toBe('Words\nRaw details\ninside\nEvents\nName · Count\na &lt;b&gt; · 3\nc');
    expect(hasNewerKinds(texts)).toBe(false);
  });

  test('name people and channels as Slack does, not by their IDs', () => {
    const table = dataTable({
      caption: 'Changes',
      columns: ['Who', 'Where'],
      rows: [[person('U0ANN'), channelLink('C0ONCALL')]],
    });
    expect(JSON.stringify(textBlocks([table]))).toContain('<@U0ANN> · <#C0ONCALL>');
  });

  test('have times in the reader’s zone where there is room for them, as in a modal', () => {
    const table = dataTable({ caption: 'Alerts', columns: ['Told'], rows: [[time(new Date(0))]] });
    expect(JSON.stringify(resultView({ blocks: [table] }))).toContain('<!date^0^');
    expect(JSON.stringify(textBlocks([table]))).not.toContain('<!date');
  });
});
