import type { App, BlockAction, SlackViewAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { labelOf } from '../block-kit/controls.ts';
import { botOf, refusalOf, startSlack } from '../local-slack.testing.ts';
import type { LocalSlack } from '../server.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });

const FORM: ModalView = {
  type: 'modal',
  callback_id: 'form',
  private_metadata: 'from ann',
  title: plain('A form'),
  submit: plain('Send'),
  blocks: [
    {
      type: 'input',
      block_id: 'who',
      label: plain('Subscribers'),
      element: { type: 'plain_text_input', action_id: 'ids', max_length: 10 },
    },
    {
      type: 'input',
      block_id: 'what',
      optional: true,
      label: plain('Workflow'),
      element: { type: 'external_select', action_id: 'workflow', min_query_length: 2 },
    },
    { type: 'actions', block_id: 'more', elements: [{ type: 'button', action_id: 'push', text: plain('More') }] },
  ],
};
const PAGE: ModalView = { type: 'modal', title: plain('A page'), blocks: [{ type: 'divider' }] };

describe('views', () => {
  let slack: LocalSlack;
  let app: App;
  const now = 1_700_000_000_000;
  const ann = () => slack.workspace.as('U0ANN');
  const open = () => ann().choosesShortcut('find_notification');
  const top = () => slack.workspace.until(() => ann().view(), { what: 'a view' });
  const title = () => labelOf({ text: ann().view()?.view.title });

  beforeEach(async () => {
    slack = await startSlack({ now: () => now });
    app = botOf(slack);
    app.shortcut('find_notification', async ({ ack, client, shortcut }) => {
      await ack();
      await client.views.open({ trigger_id: shortcut.trigger_id, view: FORM });
    });
    app.options('workflow', ({ ack, options }) =>
      ack({ options: [{ text: plain(`${options.value} shipped`), value: 'w1' }] }),
    );
    app.action<BlockAction>('push', async ({ ack, client, body }) => {
      await ack();
      await client.views.push({ trigger_id: body.trigger_id, view: FORM });
    });
    await app.start();
  });
  afterEach(async () => {
    await app.stop();
    await slack.close();
  });

  test('open a form, fill it in, request options from the bot, and submit the input', async () => {
    const submitted = new Promise<SlackViewAction>((resolve) => {
      app.view('form', async ({ ack, body }) => {
        await ack();
        resolve(body);
      });
    });
    await open();
    const { id } = await top();
    expect((await ann().submits(id)).ok).toBe(false);
    expect(ann().view()?.errors).toEqual({ who: 'Please complete this required field.' });
    expect(await ann().typesInSelect(id, 'workflow', 'o')).toEqual([]);
    await ann().fillsIn(id, { subscribers: 'user-1', workflow: 'order' });
    expect(await ann().submits(id)).toMatchObject({ ok: true, errors: {} });
    expect(ann().view()).toBeUndefined();
    expect(await submitted).toMatchObject({
      type: 'view_submission',
      user: { id: 'U0ANN', team_id: 'T0SANDBOX' },
      view: {
        callback_id: 'form',
        private_metadata: 'from ann',
        state: {
          values: {
            who: { ids: { type: 'plain_text_input', value: 'user-1' } },
            what: { workflow: { type: 'external_select', selected_option: { value: 'w1' } } },
          },
        },
      },
    });
  });

  test('show the bot’s errors until the view is updated', async () => {
    app.view('form', ({ ack }) => ack({ response_action: 'errors', errors: { who: 'Nobody by that id' } }));
    await open();
    const { id } = await top();
    await ann().fillsIn(id, { subscribers: 'x' });
    expect(await ann().submits(id)).toMatchObject({
      ok: false,
      error: 'form_errors',
      errors: { who: 'Nobody by that id' },
    });
    expect(ann().view()?.errors).toEqual({ who: 'Nobody by that id' });
    await app.client.views.update({ view_id: id, view: PAGE });
    expect(ann().view()?.errors).toEqual({});
  });

  test.each([
    ['replaces the view', { response_action: 'update' as const, view: PAGE }, 'A page', 1],
    ['closes the top one', undefined, 'A form', 1],
  ])('follow the bot’s response to a submission, which %s', async (_what, response, expectedTitle, expectedViews) => {
    app.view('form', ({ ack }) => (response === undefined ? ack() : ack(response)));
    await open();
    const { id } = await top();
    if (response === undefined) {
      await ann().clicks({ viewId: id }, { text: 'More' });
      await slack.workspace.until(() => ann().view()?.id !== id, { what: 'the second view' });
    }
    const { id: topId } = await top();
    await ann().fillsIn(topId, { subscribers: 'x' });
    expect(await ann().submits(topId)).toMatchObject({ ok: true });
    expect(title()).toBe(expectedTitle);
    expect(ann().views()).toHaveLength(expectedViews);
  });

  test('stack up to three, and refuse the fourth', async () => {
    await open();
    await top();
    for (const count of [2, 3]) {
      await ann().clicks({ viewId: (await top()).id }, { text: 'More' });
      await slack.workspace.until(() => ann().views().length === count, { what: `view ${count}` });
    }
    await ann().clicks({ viewId: (await top()).id }, { text: 'More' });
    const call = await slack.workspace.until(() => slack.calls.of('views.push')[2], { what: 'the third push' });
    expect(call.answer).toMatchObject({ ok: false, error: 'push_limit_reached' });
  });

  test('refuse an update of a closed view', async () => {
    await open();
    const { id } = await top();
    await ann().closes(id);
    expect(await refusalOf(app.client.views.update({ view_id: id, view: PAGE }))).toMatchObject({ error: 'not_found' });
  });
});
