import type { App, BlockAction } from '@slack/bolt';
import type { HomeView } from '@slack/types';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { botOf, clientOf, refusalOf, startSlackWith } from '../local-slack.testing.ts';
import type { LocalSlack } from '../server.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const section = (text: string) => ({ type: 'section' as const, text: plain(text) });
const homeSaying = (text: string): HomeView => ({ type: 'home', callback_id: 'home', blocks: [section(text)] });
const HOME: HomeView = {
  type: 'home',
  callback_id: 'home',
  private_metadata: 'kept',
  blocks: [
    section('All is well'),
    { type: 'actions', block_id: 'row', elements: [{ type: 'button', action_id: 'refresh', text: plain('Refresh') }] },
  ],
};

describe('the Home tab', () => {
  let slack: LocalSlack;
  let app: App;
  const ann = () => slack.workspace.as('U0ANN');
  const publish = (view: HomeView, more: { hash?: string } = {}) =>
    app.client.views.publish({ user_id: 'U0ANN', view, ...more });

  beforeEach(async () => {
    slack = await startSlackWith({
      'features.app_home.home_tab_enabled': true,
      'settings.event_subscriptions.bot_events': ['app_home_opened'],
    });
    app = botOf(slack);
    await app.start();
  });
  afterEach(async () => {
    await app.stop();
    await slack.close();
  });

  test('is published for the person who opens it, and only for them', async () => {
    app.event('app_home_opened', async ({ event, client }) => {
      await client.views.publish({ user_id: event.user, view: HOME });
    });
    await ann().opensHome();
    const home = await slack.workspace.until(() => ann().home(), { what: 'the Home tab' });
    expect(home.view).toMatchObject({ type: 'home', blocks: [{ text: { text: 'All is well' } }, {}] });
    expect(slack.workspace.as('U0BEN').home()).toBeUndefined();
  });

  test('is included in the event once it is published', async () => {
    const views: unknown[] = [];
    app.event('app_home_opened', async ({ event }) => {
      views.push(event.view);
    });
    await ann().opensHome();
    const { view } = await publish(HOME);
    await ann().opensHome();
    await ann().opensMessages();
    await vi.waitFor(() => expect(views).toHaveLength(3), { timeout: 60_000 });
    expect(views).toMatchObject([undefined, { id: view?.id, hash: view?.hash, private_metadata: 'kept' }, undefined]);
  });

  test('has buttons that work and can open a modal', async () => {
    const clicks: BlockAction[] = [];
    app.action<BlockAction>('refresh', async ({ ack, body, client }) => {
      clicks.push(body);
      await ack();
      const view = { type: 'modal' as const, title: plain('A window'), blocks: [section('inside')] };
      await client.views.open({ trigger_id: body.trigger_id, view });
    });
    const { view } = await publish(HOME);
    const viewId = view?.id ?? '';
    expect(await ann().clicks({ viewId }, { text: 'Refresh' })).toMatchObject({ ok: true });
    await slack.workspace.until(() => ann().view(), { what: 'the window' });
    expect(clicks).toMatchObject([
      {
        container: { type: 'view', view_id: viewId },
        view: { type: 'home', callback_id: 'home', private_metadata: 'kept', root_view_id: viewId },
        actions: [{ action_id: 'refresh', block_id: 'row' }],
      },
    ]);
    for (const field of ['channel', 'message', 'response_url']) expect(clicks[0]).not.toHaveProperty(field);
  });

  test('keeps its ID, changes its hash, and refuses an old hash', async () => {
    const first = await publish(homeSaying('one'));
    const second = await publish(homeSaying('two'), { hash: first.view?.hash ?? '' });
    expect(second.view?.id).toBe(first.view?.id);
    const stale = publish(homeSaying('three'), { hash: first.view?.hash ?? '' });
    expect(await refusalOf(stale)).toMatchObject({ error: 'hash_conflict' });
    expect(ann().home()?.view).toMatchObject({ blocks: [{ text: { text: 'two' } }] });
  });

  test.each([
    ['101 blocks', { view: { type: 'home', blocks: Array(101).fill({ type: 'divider' }) } }, 'no more than 100 items'],
    [
      'a block for messages alone',
      { view: { type: 'home', blocks: [{ type: 'markdown', text: 'x' }] } },
      'unsupported type: markdown',
    ],
    [
      'a modal',
      { view: { type: 'modal', title: plain('A'), blocks: [] } },
      'unsupported type: modal [json-pointer:/view/type]',
    ],
    ['nobody', { user_id: 'U0EVE', view: homeSaying('x') }, 'invalid `user_id`'],
  ])('refuses %s', async (_what, args, message) => {
    const refusal = await refusalOf(app.client.apiCall('views.publish', { user_id: 'U0ANN', ...args }));
    expect(refusal).toMatchObject({ error: 'invalid_arguments' });
    expect(JSON.stringify(refusal)).toContain(message);
  });

  test('accepts 100 blocks', async () => {
    await expect(publish({ type: 'home', blocks: Array(100).fill({ type: 'divider' }) })).resolves.toBeTruthy();
  });
});

test('the Home tab is refused if the manifest has none', async () => {
  const slack = await startSlackWith({ 'features.app_home.home_tab_enabled': false });
  const call = clientOf(slack).views.publish({ user_id: 'U0ANN', view: HOME });
  expect(await refusalOf(call)).toMatchObject({ error: 'not_enabled' });
  expect(await slack.workspace.as('U0ANN').opensHome()).toMatchObject({ ok: false, error: 'not_enabled' });
  await slack.close();
});
