import { describe, expect, test } from 'vitest';
import type { Json, PageAct, PostedMessage, Snapshot } from '../../page-protocol.ts';
import { type Happening, newestTransaction } from './happenings.ts';
import { advance, countDone, isDone, type Progress, STORY } from './story.ts';

const ann = { id: 'U0ANN', name: 'ann', isBot: false, standing: 'member', timeZone: 'UTC' } as const;
const bot = { id: 'U0BOT', name: 'Notif', isBot: true, standing: 'member' } as const;

const said = (text: string, rest: Partial<PostedMessage> = {}): PostedMessage => ({
  ...{ ts: '100.000000', author: bot.id, text, blocks: [], attachments: [], onlyVisibleTo: null, threadTs: null },
  ...{ isBroadcast: false, files: [], mentionsMe: false, edited: false, edits: 0, ...rest },
});

const snapshotWith = (messages: readonly PostedMessage[], rest: Partial<Snapshot> = {}): Snapshot => ({
  me: ann,
  people: [ann, bot],
  userGroups: [],
  conversations: [
    {
      ...{ id: 'C0ONCALL', kind: 'channel', name: 'oncall', isArchived: false, takesMessages: true, hasBot: true },
      messages,
    },
  ],
  ...{ views: [], home: null, hasHome: true, commands: [], shortcuts: [], botConnected: true },
  ...rest,
});

const row = {
  type: 'actions',
  block_id: 'row',
  elements: [{ type: 'button', action_id: 'x1', text: { type: 'plain_text', text: 'Look up' } }],
};
const withRow = snapshotWith([said('digest', { blocks: [row] })]);
const press = (action: Json = {}): PageAct => ({
  do: 'block-action',
  surface: { in: 'message', channel: 'C0ONCALL', ts: '100.000000' },
  blockId: 'row',
  actionId: 'x1',
  action,
  state: {},
});
const choose = (label: string) => press({ selected_option: { text: { type: 'plain_text', text: label }, value: 'v' } });
const does = (act: PageAct, snapshot = withRow): Happening => ({ kind: 'act', act, snapshot });
const sees = (...texts: readonly string[]): Happening => ({
  kind: 'snapshot',
  snapshot: snapshotWith(texts.map((text) => said(text))),
  openedAt: 0,
});
const types = (text: string, snapshot = withRow) => does({ do: 'command', channel: 'C0ONCALL', text }, snapshot);

const after = (...happenings: readonly Happening[]): Progress => happenings.reduce(advance, {});
const done = (...happenings: readonly Happening[]) =>
  STORY.filter((thing) => isDone(thing, after(...happenings))).map(({ id }) => id);

describe('the things to try', () => {
  test('are eight to twenty, each with its own ID', () => {
    expect(STORY.length).toBeGreaterThanOrEqual(8);
    expect(STORY.length).toBeLessThanOrEqual(20);
    expect(new Set(STORY.map(({ id }) => id)).size).toBe(STORY.length);
  });

  test('are done when the act also had its result', () => {
    expect(done(does(choose('Acknowledge')))).toEqual([]);
    expect(done(does(choose('Acknowledge')), sees('👀 ann acknowledged at 12:00'))).toEqual(['acknowledge']);
    expect(done(sees('👀 ben acknowledged at 12:00'))).toEqual([]);
  });

  test('recognize an action by command', () => {
    expect(done(types('/notif ack #17'), sees('👀 Acknowledged #17. Mentions stop.'))).toEqual(['by-command']);
    expect(done(types('/notif acknowledge'))).toEqual([]);
  });

  test('distinguish an arriving digest from an earlier one', () => {
    const snapshot = snapshotWith([said('🔴 Production · SendGrid refuses every email: Unauthorized (401)')]);
    expect(done({ kind: 'snapshot', snapshot, openedAt: 101 })).toEqual([]);
    expect(done({ kind: 'snapshot', snapshot, openedAt: 99 })).toEqual(['digest']);
  });

  test('recognize a button by its label', () => {
    expect(done(does(press()), sees('Send again … View raw'))).toEqual(['look-up']);
  });

  test("require a form's error before its submission", () => {
    const form = { id: 'V1', view: { title: { text: 'Send a test' } }, starts: {}, errors: {} };
    const withForm = (errors: Readonly<Record<string, string>>) => snapshotWith([], { views: [{ ...form, errors }] });
    const submit = does({ do: 'submit-view', viewId: 'V1', state: {} }, withForm({}));
    const sent = sees('🔴 Test of *order-shipped* in *Production* · done');
    const complaint: Happening = { kind: 'snapshot', snapshot: withForm({ payload: 'No JSON.' }), openedAt: 0 };
    expect(done(types('/notif trigger order-shipped'), submit, sent)).toEqual([]);
    expect(done(types('/notif trigger order-shipped'), complaint, submit, sent)).toEqual(['trigger']);
  });

  test('depend on the person who acts', () => {
    const asBen = snapshotWith([], { me: { ...ann, id: 'U0BEN', name: 'ben' } });
    const refused = sees('Only operators can do this.');
    expect(done(types('/notif trigger'), refused)).toEqual([]);
    expect(done(types('/notif trigger', asBen), refused)).toEqual(['ben']);
  });

  test('count a started scenario, and the number of things done', () => {
    const progress = after({ kind: 'scenario' });
    expect(countDone(progress)).toBe(1);
    expect(advance(progress, { kind: 'scenario' })).toBe(progress);
  });

  test('suggest the newest transaction for a question', () => {
    const older = said(`e.g. txn_${'a'.repeat(24)}`);
    const newer = said(`e.g. txn_${'b'.repeat(24)}`, { ts: '200.000000' });
    expect(newestTransaction(snapshotWith([newer, older]))).toBe(`txn_${'b'.repeat(24)}`);
    expect(newestTransaction(snapshotWith([]))).toBeUndefined();
  });
});
