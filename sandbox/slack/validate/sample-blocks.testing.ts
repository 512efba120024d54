/** The smallest blocks, elements and views that Slack accepts, each with the changes that a test wants. */

export type Block = Record<string, unknown>;

export const letters = (count: number) => 'a'.repeat(count);
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
export const plain = (text: string) => ({ type: 'plain_text', text });
export const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
export const picture = (change: Block = {}) => ({ type: 'image', alt_text: 'a', image_url: 'u', ...change });

export const option = (change: Block = {}) => ({ text: plain('One'), value: '1', ...change });
export const button = (change: Block = {}) => ({ type: 'button', text: plain('Go'), ...change });
export const section = (change: Block = {}) => [{ type: 'section', text: mrkdwn('x'), ...change }];
export const actions = (...elements: Block[]) => [{ type: 'actions', elements }];
export const select = (change: Block) => actions({ type: 'static_select', options: [option()], ...change });
export const input = (element: Block, change: Block = {}) => [
  { type: 'input', label: plain('Name'), element, ...change },
];
export const confirm = (change: Block) => actions(button({ confirm: { text: plain('Sure?'), ...change } }));

const textCell = (text: string) => ({ type: 'raw_text', text });
export const cells = (rows: number, columns: number, text = 'x') =>
  times(rows, () => times(columns, () => textCell(text)));
export const table = (rows: number, columns: number) => [{ type: 'table', rows: cells(rows, columns) }];
export const dataTable = (change: Block = {}) => [
  { type: 'data_table', caption: 'Numbers', rows: cells(2, 1), ...change },
];

const categories = (count: number) => times(count, (index) => `c${index}`);
export const series = (count: number, labels: readonly string[], change: Block = {}) =>
  times(count, (index) => ({
    name: `s${index}`,
    data: labels.map((label) => ({ label, value: 1 })),
    ...change,
  }));
export const segments = (count: number, change: Block = {}) =>
  times(count, (index) => ({ label: `p${index}`, value: 1, ...change }));
export const chart = (change: Block = {}) => [
  { type: 'data_visualization', title: 'Sent', chart: { type: 'pie', segments: segments(1) }, ...change },
];
export const lines = (seriesCount: number, points: number, axes: Block = {}) =>
  chart({
    chart: {
      type: 'line',
      series: series(seriesCount, categories(points)),
      axis_config: { categories: categories(points), ...axes },
    },
  });

export const container = (change: Block = {}) => [
  { type: 'container', title: plain('x'), child_blocks: [{ type: 'divider' }], ...change },
];
export const richText = (...elements: Block[]) => [{ type: 'rich_text', elements }];

/** The smallest block of each type that can be posted somewhere. */
export const smallestBlocks: readonly Block[] = [
  ...section(),
  { type: 'header', text: plain('x') },
  { type: 'context', elements: [plain('x')] },
  { type: 'divider' },
  ...actions(button()),
  ...input({ type: 'plain_text_input' }),
  picture(),
  ...richText(),
  ...table(1, 1),
  ...dataTable(),
  ...chart(),
  { type: 'alert', text: plain('x') },
  ...container(),
];

/** The smallest element of each type. */
export const smallestElements: readonly Block[] = [
  button(),
  picture(),
  { type: 'overflow', options: [option()] },
  { type: 'static_select', options: [option()] },
  { type: 'multi_static_select', options: [option()] },
  { type: 'checkboxes', options: [option()] },
  { type: 'radio_buttons', options: [option()] },
  ...['external_select', 'users_select', 'channels_select', 'conversations_select'].flatMap((type) => [
    { type },
    { type: `multi_${type}` },
  ]),
  { type: 'timepicker' },
  { type: 'plain_text_input' },
];

/** Returns the smallest one of this type. */
export function ofType(type: string, smallest: readonly Block[]): Block {
  const found = smallest.find((one) => one.type === type);
  if (found === undefined) throw new Error(`no sample of ${type}`);
  return found;
}

export type View = Record<string, unknown>;
export const modal = (change: View) => ({
  type: 'modal',
  title: plain('T'),
  submit: plain('Go'),
  blocks: [],
  ...change,
});
export const home = (change: View) => ({ type: 'home', blocks: [], ...change });
