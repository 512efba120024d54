import { describe, expect, test } from 'vitest';
import type { Json, PageAct, PostedMessage, Snapshot } from '../page-protocol.ts';
import { aPostedMessage } from './posted-message.testing.ts';
import { advance, type Happening, type Progress, TOUR, wordsOfAct, wordsSeen } from './tour.ts';

const ann = { id: 'U0ANN', name: 'ann', isBot: false, standing: 'member', timeZone: 'UTC' } as const;
const bot = { id: 'U0BOT', name: 'Notif', isBot: true, standing: 'member' } as const;

const said = (text: string, rest: Partial<PostedMessage> = {}): PostedMessage => aPostedMessage({ text, ...rest });

const snapshotWith = (messages: readonly PostedMessage[], rest: Partial<Snapshot> = {}): Snapshot => ({
  me: ann,
  people: [ann, bot],
  userGroups: [],
  views: [],
  home: null,
  shortcuts: [],
  conversations: [{ id: 'C0ONCALL', kind: 'channel', name: 'oncall', isArchived: false, messages }],
  botConnected: true,
  ...rest,
});

const labeled = (label: string) => ({ text: { type: 'plain_text', text: label } });
const act = (action: Json): PageAct => ({
  do: 'block-action',
  surface: { in: 'message', channel: 'C0ONCALL', ts: '100.000000' },
  blockId: 'row',
  actionId: 'x1',
  action,
  state: {},
});
const press = (label: string) => act({ type: 'button', ...labeled(label) });
const choose = (label: string) => act({ type: 'overflow', selected_option: { ...labeled(label), value: 'v' } });
const does = (act: PageAct, snapshot = snapshotWith([])): Happening => ({ did: wordsOfAct(act, snapshot) });
const sees = (text: string, openedAt = 0) => wordsSeen(snapshotWith([said(text)]), openedAt);

const after = (...happenings: readonly Happening[]): Progress => happenings.reduce(advance, {});
const done = (...happenings: readonly Happening[]) =>
  TOUR.filter(({ id }) => after(...happenings)[id] === 'done').map(({ id }) => id);

describe('the tour', () => {
  test('ticks a thing once the person’s act had its result, and not for another’s', () => {
    expect(done(does(choose('Acknowledge')))).toEqual([]);
    expect(done(does(choose('Acknowledge')), sees('👀 ann acknowledged at 12:00'))).toEqual(['acknowledge']);
    expect(done(does(press('Acknowledge')), sees('👀 ann acknowledged at 12:00'))).toEqual(['acknowledge']);
    expect(done(sees('👀 ben acknowledged at 12:00'))).toEqual([]);
    expect(done(does(press('Look up')), sees('Send again … View raw'))).toEqual(['look-up']);
  });

  test('distinguishes an arriving alert from an earlier one', () => {
    const alert = '🔴 Production · SendGrid refuses every email: Unauthorized (401)';
    expect(done(sees(alert, 101))).toEqual([]);
    expect(done(sees(alert, 99))).toEqual(['digest']);
  });

  test('suggests the newest transaction, and the newest incident with failures to send again', () => {
    const ask = TOUR.find(({ id }) => id === 'mention')?.propose;
    const older = said(`e.g. txn_${'a'.repeat(24)}`);
    const newer = said(`e.g. txn_${'b'.repeat(24)}`, { ts: '200.000000' });
    expect(ask?.(snapshotWith([newer, older]))).toBe(`@Notif what happened to txn_${'b'.repeat(24)}?`);
    const resend = TOUR.find(({ id }) => id === 'resend')?.propose;
    expect(resend?.(snapshotWith([said('1 of 1 · #3'), said('API key refused · #4', { ts: '200.000000' })]))).toBe(
      '/notif resend #3',
    );
  });
});
