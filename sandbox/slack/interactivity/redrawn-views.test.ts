import type { App, SlackViewAction } from '@slack/bolt';
import type { HomeView, InputBlock, ModalView } from '@slack/types';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LocalSlack } from '../server.ts';
import { botOf, startSlack } from '../testing.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });

/** A text field with this initial content. */
const field = (name: string, initial?: string): InputBlock => ({
  type: 'input',
  block_id: name,
  optional: true,
  label: plain(name),
  element: {
    type: 'plain_text_input',
    action_id: 'it',
    ...(initial === undefined ? {} : { initial_value: initial }),
  },
});
const form = (...blocks: readonly InputBlock[]): ModalView => ({
  type: 'modal',
  callback_id: 'form',
  title: plain('A form'),
  submit: plain('Send'),
  blocks: [...blocks, { type: 'divider' }],
});

describe('a form that the bot redraws', () => {
  let slack: LocalSlack;
  let app: App;
  let viewId: string;
  const ann = () => slack.workspace.as('U0ANN');
  const redraw = (view: ModalView) => app.client.views.update({ view_id: viewId, view });

  beforeEach(async () => {
    slack = await startSlack();
    app = botOf(slack);
    app.shortcut('find_notification', async ({ ack, client, shortcut }) => {
      await ack();
      await client.views.open({ trigger_id: shortcut.trigger_id, view: form(field('Workflow', 'old'), field('Note')) });
    });
    await app.start();
    await ann().choosesShortcut('find_notification');
    viewId = (await slack.workspace.until(() => ann().view(), { what: 'the form' })).id;
  });
  afterEach(async () => {
    await app.stop();
    await slack.close();
  });

  /** Submits the form, and returns the content of each field as the bot gets it. */
  async function submitted(answer?: ModalView): Promise<Record<string, unknown>> {
    const body = new Promise<SlackViewAction>((resolve) => {
      app.view('form', async ({ ack, body }) => {
        await (answer === undefined ? ack() : ack({ response_action: 'update', view: answer }));
        resolve(body);
      });
    });
    await ann().submits(viewId);
    const fields = Object.entries((await body).view.state.values);
    return Object.fromEntries(fields.map(([name, { it }]) => [name, it?.value]));
  }

  test('keeps the content of a field that stays, typed or initial, whatever the new initial content is', async () => {
    await ann().fillsIn(viewId, { Note: 'typed' });
    await redraw(form(field('Note', 'new'), field('Workflow', 'new')));
    expect(await submitted()).toEqual({ Note: 'typed', Workflow: 'old' });
  });

  test('keeps the content of a field from its first view on, however often it is redrawn', async () => {
    await redraw(form(field('Workflow', 'second')));
    await redraw(form(field('Workflow', 'third')));
    expect(await submitted()).toEqual({ Workflow: 'old' });
  });

  test('starts a field that left and returns with its new initial content, whatever was typed before', async () => {
    await ann().fillsIn(viewId, { Workflow: 'typed', Note: 'typed' });
    await redraw(form(field('Note')));
    await redraw(form(field('Workflow', 'new'), field('Note', 'new')));
    expect(await submitted()).toEqual({ Workflow: 'new', Note: 'typed' });
  });

  test('follows the same rules in the answer to a submission', async () => {
    await ann().fillsIn(viewId, { Note: 'typed' });
    expect(await submitted(form(field('Workflow', 'new'), field('Note', 'new')))).toEqual({
      Workflow: 'old',
      Note: 'typed',
    });
    expect(await submitted()).toEqual({ Workflow: 'old', Note: 'typed' });
  });

  test('follows the same rules on the Home tab', async () => {
    const home = (note: InputBlock): HomeView => ({ type: 'home', blocks: [{ ...note, dispatch_action: true }] });
    const publish = (initial: string) =>
      app.client.views.publish({ user_id: 'U0ANN', view: home(field('Note', initial)) });
    const seen = new Promise((resolve) => {
      app.action('it', async ({ ack, body }) => {
        await ack();
        resolve('view' in body ? body.view?.state.values.Note?.it?.value : undefined);
      });
    });
    await publish('old');
    await publish('new');
    const { id = '' } = ann().home() ?? {};
    await ann().clicks({ viewId: id }, { actionId: 'it' });
    expect(await seen).toBe('old');
  });
});
