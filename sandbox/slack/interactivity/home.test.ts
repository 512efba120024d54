import type { App } from '@slack/bolt';
import type { HomeView } from '@slack/types';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { botOf, refusalOf, startSlack } from '../local-slack.testing.ts';
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
    slack = await startSlack();
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
    await vi.waitFor(() => expect(views).toHaveLength(2), { timeout: 60_000 });
    expect(views).toMatchObject([undefined, { id: view?.id, hash: view?.hash, private_metadata: 'kept' }]);
  });

  test('keeps its ID, changes its hash, and refuses an old hash', async () => {
    const first = await publish(homeSaying('one'));
    const second = await publish(homeSaying('two'), { hash: first.view?.hash ?? '' });
    expect(second.view?.id).toBe(first.view?.id);
    const stale = publish(homeSaying('three'), { hash: first.view?.hash ?? '' });
    expect(await refusalOf(stale)).toMatchObject({ error: 'hash_conflict' });
    expect(ann().home()?.view).toMatchObject({ blocks: [{ text: { text: 'two' } }] });
  });
});
