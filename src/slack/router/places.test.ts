import type { App } from '@slack/bolt';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { botOf, clientOf, startSlack } from '../../../sandbox/slack/local-slack.testing.ts';
import type { LocalSlack } from '../../../sandbox/slack/server.ts';
import { silent } from '../../lib/logger.testing.ts';
import { actions, button, section } from '../kit/blocks.ts';
import { forEveryone } from '../kit/for-everyone.ts';
import { message } from '../kit/message.ts';
import { mrkdwn, person } from '../kit/text.ts';
import { formView, resultView } from '../kit/view.ts';
import { newGate, PRODUCTION, sleepingUntil, wordsOf } from '../slack.testing.ts';
import { registerRoutes } from './register.ts';
import { actionRoute, type Route, routesFor } from './route.ts';

const ONCALL = 'C0ONCALL';

const said = (words: string) => message([section(mrkdwn`${words}`)]);
const tab = message([
  section(mrkdwn`a tab`),
  ...actions([
    button('Slow', 'test.slow', ''),
    button('Refresh', 'home.refresh', ''),
    button('Again', 'test.again', ''),
    button('Above', 'test.above', ''),
    button('Form', 'test.form', ''),
  ]),
]);

const formSaying = (words: string) =>
  formView({
    callbackId: 'test.in-form',
    title: 'A form',
    submit: 'Go',
    blocks: [section(mrkdwn`${words}`), ...actions([button('Slow', 'test.slow', ''), button('Draw', 'test.draw', '')])],
  });

const withWays = (words: string) =>
  message([
    section(mrkdwn`${words}`),
    ...actions([
      button('Show', 'test.show', ''),
      button('Share', 'test.share', ''),
      button('Elsewhere', 'test.elsewhere', ''),
    ]),
  ]);

const QUIET = { logger: silent, newReference: () => '7F3K2' };

describe('the places of an answer', () => {
  let slack: LocalSlack;
  let app: App;
  let gate = newGate();
  let patience = newGate();
  let endedWait = newGate();
  let asked: string[] = [];

  const slowly = async ({ reply }: { reply: { show(content: typeof tab): Promise<void> } }) => {
    await gate.opened;
    const words = mrkdwn`done at last by ${person('U0BEN')} for ${person('U0ANN')}`;
    await reply.show(message([section(words)]));
  };
  const routes: Route[] = [
    ...routesFor('everyone', [
      {
        surface: 'message',
        id: 'app_mention',
        answer: (interaction) =>
          hear(interaction.text === 'aside' ? interaction : { ...interaction, reply: interaction.toEverybody }),
      },
      { surface: 'message', id: 'message.im', answer: (interaction) => hear(interaction) },
    ]),
    ...routesFor('members', [
      { surface: 'home', id: 'app_home_opened', answer: ({ reply }) => reply.show(tab) },
      actionRoute('test.show', String, (_value, { reply }) => reply.show(withWays('shown'))),
      actionRoute('test.share', String, async (_value, { reply }) => reply.share?.(forEveryone(said('shared')))),
      actionRoute('test.slow', String, (_value, interaction) => slowly(interaction)),
      actionRoute('home.refresh', String, (_value, interaction) => slowly(interaction)),
      actionRoute('test.again', String, (_value, { reply }) => reply.show(tab)),
      actionRoute('test.above', String, async (_value, { openModal }) => {
        await openModal(resultView(said('above')));
        await gate.opened;
        endedWait.open();
      }),
      actionRoute('test.form', String, async (_value, { openModal }) => void (await openModal(formSaying('a form')))),
      actionRoute('test.draw', String, async (_value, interaction) => {
        await gate.opened;
        await interaction.modal?.update(formSaying('drawn again'));
      }),
      actionRoute('test.elsewhere', String, () => gate.opened),
      { surface: 'shortcut', id: 'find_notification', type: 'global', answer: slowly },
    ]),
  ];

  async function hear(interaction: { text: string; reply: { show(content: typeof tab): Promise<void> } }) {
    asked.push(interaction.text);
    if (interaction.text === 'ways') await interaction.reply.show(withWays('answered'));
    else await slowly(interaction);
  }

  beforeAll(async () => {
    slack = await startSlack();
    app = botOf(slack);
    registerRoutes(
      {
        deliveryClient: clientOf(slack),
        workspace: { namesOf: async () => new Map([['U0BEN', 'Ben']]) },
        accessControl: { canUse: async () => true, authorize: async () => {} },
        environments: [PRODUCTION],
        operators: { who: 'nobody' },
        ...QUIET,
        sleep: sleepingUntil(() => patience),
      },
      app,
      routes,
    );
    await app.start();
  });
  afterAll(async () => {
    await app.stop();
    await slack.close();
  });
  beforeEach(async () => {
    gate = newGate();
    patience = newGate();
    endedWait = newGate();
    asked = [];
    for (const { id } of ann().views().toReversed()) await ann().closes(id);
  });

  const ann = () => slack.workspace.as('U0ANN');

  function until(look: () => string | undefined, words: string) {
    return slack.workspace.until(() => (look()?.includes(words) ? true : undefined), { what: words });
  }
  const inModal = () => JSON.stringify(ann().view()?.view ?? '');
  const newest = (channel: string) => {
    const last = ann().sees(channel).at(-1);
    return last === undefined ? '' : `${last.text} ${wordsOf(last)}`;
  };

  const newestTs = (channel: string) => ann().sees(channel).at(-1)?.ts ?? '';

  test.each(['a click on the Home tab', 'a global shortcut'])(
    'are a modal for %s, which opens in time even if the answer takes longer',
    async (what) => {
      if (what === 'a global shortcut') await ann().choosesShortcut('find_notification');
      else {
        await ann().opensHome();
        const home = await slack.workspace.until(() => ann().home(), { what: 'the tab' });
        await ann().clicks({ viewId: home.id }, { text: 'Slow' });
      }
      patience.open();
      await until(inModal, 'Still working');
      gate.open();
      await until(inModal, 'done at last');
    },
  );

  test('are the Home tab itself for a click that draws it again, which opens no modal however long it takes', async () => {
    await ann().opensHome();
    const home = await slack.workspace.until(() => ann().home(), { what: 'the tab' });
    await ann().clicks({ viewId: home.id }, { text: 'Refresh' });
    patience.open();
    gate.open();
    const inHome = () => JSON.stringify(ann().home()?.view ?? '');
    await until(inHome, 'done at last');
    expect(ann().views()).toEqual([]);
    await ann().opensHome();
    await until(inHome, 'a tab');
  });

  async function openTabInModal() {
    await ann().opensHome();
    const home = await slack.workspace.until(() => ann().home(), { what: 'the tab' });
    await ann().clicks({ viewId: home.id }, { text: 'Again' });
    await until(inModal, 'a tab');
    return ann().view()?.id ?? '';
  }

  test('are the modal that was clicked in, which first says that it takes longer', async () => {
    const viewId = await openTabInModal();
    await ann().clicks({ viewId }, { text: 'Slow' });
    patience.open();
    await until(inModal, 'Still working');
    gate.open();
    await until(inModal, 'done at last');
    expect(inModal()).not.toContain('Still working');
  });

  async function openFormAndClick(button: string) {
    const viewId = await openTabInModal();
    await ann().clicks({ viewId }, { text: 'Form' });
    await until(inModal, 'a form');
    await ann().clicks({ viewId: ann().view()?.id ?? '' }, { text: button });
  }

  test('are above the form that was clicked in, which stays as it is, and first say there that it takes longer', async () => {
    await openFormAndClick('Slow');
    patience.open();
    await until(inModal, 'Still working');
    gate.open();
    await until(inModal, 'done at last');
    await ann().closes(ann().view()?.id ?? '');
    await until(inModal, 'a form');
  });

  test('are the form itself for a choice in it, above which is said that it took longer', async () => {
    await openFormAndClick('Draw');
    patience.open();
    await until(inModal, 'Still working');
    gate.open();
    await until(inModal, 'Done.');
    await ann().closes(ann().view()?.id ?? '');
    await until(inModal, 'drawn again');
  });

  test("are a direct message if Slack can't open a modal", async () => {
    const before = newestTs('D0ANN');
    slack.faults.next('views.open', { kind: 'error', error: 'expired_trigger_id' });
    gate.open();
    await ann().choosesShortcut('find_notification');
    await until(() => (newestTs('D0ANN') > before ? newest('D0ANN') : undefined), 'done at last');
  });

  test("are a direct message if Slack can't update the modal that was clicked in", async () => {
    await ann().choosesShortcut('find_notification');
    patience.open();
    await until(inModal, 'Still working');
    const before = newestTs('D0ANN');
    slack.faults.always('views.update', { kind: 'error', error: 'fatal_error' });
    gate.open();
    await until(() => (newestTs('D0ANN') > before ? newest('D0ANN') : undefined), 'done at last');
    slack.faults.clear();
  });

  test('are a direct message if a mention was written where Notif may not post', async () => {
    const before = newestTs('D0ANN');
    slack.faults.next('chat.postMessage', { kind: 'error', error: 'restricted_action' });
    gate.open();
    await ann().says(ONCALL, '@Notif hello');
    await until(() => (newestTs('D0ANN') > before ? newest('D0ANN') : undefined), 'done at last');
  });

  test('are a direct message if an answer for one person is refused in the channel', async () => {
    const before = newestTs('D0ANN');
    slack.faults.next('chat.postEphemeral', { kind: 'error', error: 'user_not_in_channel' });
    gate.open();
    await ann().says(ONCALL, '@Notif aside');
    await until(() => (newestTs('D0ANN') > before ? newest('D0ANN') : undefined), 'done at last');
  });

  test("are a message in a mention's thread, and first say to the person alone that it takes longer", async () => {
    await ann().says(ONCALL, '@Notif hello <there>');
    const { ts } = ann().sees(ONCALL).at(-1) ?? {};
    patience.open();
    await until(() => newest(ONCALL), 'Still working');
    expect(ann().sees(ONCALL).at(-1)).toMatchObject({ threadTs: null, onlyVisibleTo: 'U0ANN' });
    gate.open();
    await until(() => newest(ONCALL), 'done at last');
    expect(ann().sees(ONCALL).at(-1)).toMatchObject({ threadTs: ts, onlyVisibleTo: null });
    expect(asked).toEqual(['hello &lt;there&gt;']);
  });

  test('end with Done beside a button whose answer is somewhere else', async () => {
    await ann().says(ONCALL, '@Notif ways');
    await until(() => newest(ONCALL), 'answered');
    await ann().clicks({ channel: ONCALL, ts: newestTs(ONCALL) }, { text: 'Elsewhere' });
    patience.open();
    await until(() => newest(ONCALL), 'Still working');
    gate.open();
    await until(() => newest(ONCALL), 'Done');
  });

  test('in a channel name people instead of mentioning them, but for who asked', async () => {
    gate.open();
    await ann().says(ONCALL, '@Notif hello');
    await until(() => newest(ONCALL), 'done at last by Ben for <@U0ANN>');
    expect(newest(ONCALL)).not.toContain('<@U0BEN>');
  });

  test('are none for what no person wrote', async () => {
    gate.open();
    const written = { user: 'U0ANN', text: 'hello', ts: '1.1' };
    const hears = (change: object) => {
      const event = { type: 'message', channel_type: 'im', channel: 'D0ANN', ...written, ...change };
      const body = { type: 'event_callback', team_id: 'T0SANDBOX', event };
      return app.processEvent({ body, ack: async () => {} });
    };
    await hears({ user: 'U0BOT', bot_id: 'B0BOT', text: 'its own' });
    await hears({ bot_id: 'B0OTHER', text: "another app's" });
    await hears({ subtype: 'huddle_thread', text: 'A huddle started' });
    await hears({ subtype: 'message_changed', user: undefined, text: undefined, message: written });
    await hears({});
    expect(asked).toEqual(['hello']);
  });
});
