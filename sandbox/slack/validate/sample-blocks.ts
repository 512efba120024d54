/** The smallest blocks and views that Slack takes, each with what a test wants to change in it. */

export type Block = Record<string, unknown>;

export const letters = (count: number) => 'a'.repeat(count);
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
export const plain = (text: string) => ({ type: 'plain_text', text });
export const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
export const option = (change: Block = {}) => ({ text: plain('One'), value: '1', ...change });
export const button = (change: Block = {}) => ({ type: 'button', text: plain('Go'), ...change });
export const actions = (...elements: Block[]) => [{ type: 'actions', elements }];
export const section = (change: Block) => [{ type: 'section', text: mrkdwn('x'), ...change }];
export const select = (change: Block) => actions({ type: 'static_select', options: [option()], ...change });
export const input = (element: Block, change: Block = {}) => [
  { type: 'input', label: plain('Name'), element, ...change },
];
export const confirm = (change: Block) => actions(button({ confirm: { text: plain('Sure?'), ...change } }));
export const table = (rows: number, cells: number) => [
  { type: 'table', rows: times(rows, () => times(cells, () => ({ type: 'raw_text', text: 'x' }))) },
];

export type View = Record<string, unknown>;
export const modal = (change: View) => ({
  type: 'modal',
  title: plain('T'),
  submit: plain('Go'),
  blocks: [],
  ...change,
});
