import { beforeEach, describe, expect, test } from 'vitest';
import { actionRoute, routesFor } from '../router/route.ts';
import { ONCALL, RoutedSlack } from '../router/routed-slack.testing.ts';
import { wordsOf } from '../slack.testing.ts';
import { actions, button, section } from './blocks.ts';
import type { Requester } from './interaction.ts';
import { message } from './message.ts';
import { mrkdwn, person } from './text.ts';
import { formView } from './views.ts';

const tab = message([
  section(mrkdwn`a tab`),
  ...actions([
    button('Slow', 'test.slow', ''),
    button('Refresh', 'home.refresh', ''),
    button('Again', 'test.again', ''),
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

const withWayElsewhere = message([section(mrkdwn`answered`), ...actions([button('Elsewhere', 'test.elsewhere', '')])]);

type Answerable = Pick<Requester, 'reply'>;

describe('the places of an answer', () => {
  const bot = new RoutedSlack();
  const { ann } = bot;
  /** What the bot heard. */
  let texts: string[] = [];

  const slowly = async ({ reply }: Answerable) => {
    await bot.gate.opened;
    const words = mrkdwn`done at last by ${person('U0BEN')} for ${person('U0ANN')}`;
    await reply.show(message([section(words)]));
  };
  async function hear(interaction: Answerable & { text: string }) {
    texts.push(interaction.text);
    if (interaction.text === 'ways') await interaction.reply.show(withWayElsewhere);
    else await slowly(interaction);
  }

  // A mention is answered to everybody, '@Notif aside' to the person alone, and '@Notif ways' with a button.
  bot.routes = [
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
      actionRoute('test.slow', String, (_value, interaction) => slowly(interaction)),
      actionRoute('home.refresh', String, (_value, interaction) => slowly(interaction)),
      actionRoute('test.again', String, (_value, { reply }) => reply.show(tab)),
      actionRoute('test.form', String, async (_value, { openModal }) => void (await openModal(formSaying('a form')))),
      actionRoute('test.draw', String, async (_value, interaction) => {
        await bot.gate.opened;
        await interaction.modal?.update(formSaying('drawn again'));
      }),
      actionRoute('test.elsewhere', String, () => bot.gate.opened),
      { surface: 'shortcut', id: 'find_notification', type: 'global', answer: slowly },
    ]),
  ];

  beforeEach(() => {
    texts = [];
  });

  async function openHome() {
    await ann().opensHome();
    return (await bot.homeSaying('a tab')).id;
  }

  async function openTabInModal() {
    await ann().clicks({ viewId: await openHome() }, { text: 'Again' });
    return (await bot.viewSaying('a tab')).id;
  }

  test('is in direct messages for a mention that was deleted meanwhile, and nowhere in the channel', async () => {
    await ann().says(ONCALL, '@Notif deleted');
    await expect.poll(() => texts).toContain('deleted');
    const { ts = '' } =
      ann()
        .sees(ONCALL)
        .findLast(({ text }) => text.includes('deleted')) ?? {};
    bot.slack.workspace.deleteMessage(ONCALL, ts);
    const before = ann().sees(ONCALL).length;
    bot.gate.open();
    await bot.newestDirect('done at last');
    expect(ann().sees(ONCALL)).toHaveLength(before);
  });

  test.each(['a click on the Home tab', 'a global shortcut'])(
    'are a modal for %s, which opens in time even if the answer takes longer',
    async (what) => {
      if (what === 'a global shortcut') await ann().choosesShortcut('find_notification');
      else await ann().clicks({ viewId: await openHome() }, { text: 'Slow' });
      bot.patience.open();
      await bot.viewSaying('Still working');
      bot.gate.open();
      await bot.viewSaying('done at last');
    },
  );

  test('are the Home tab itself for a click that draws it again, which opens no modal however long it takes', async () => {
    await ann().clicks({ viewId: await openHome() }, { text: 'Refresh' });
    bot.patience.open();
    bot.gate.open();
    await bot.homeSaying('done at last');
    expect(ann().views()).toEqual([]);
    await ann().opensHome();
    await bot.homeSaying('a tab');
  });

  test('are the modal that was clicked in, which first says that it takes longer', async () => {
    const viewId = await openTabInModal();
    await ann().clicks({ viewId }, { text: 'Slow' });
    bot.patience.open();
    await bot.viewSaying('Still working');
    bot.gate.open();
    const { view } = await bot.viewSaying('done at last');
    expect(JSON.stringify(view)).not.toContain('Still working');
  });

  test.each([
    {
      button: 'Slow',
      answer: 'done at last',
      form: 'a form',
      place: 'above the form of the click, which stays as it is',
    },
    { button: 'Draw', answer: 'Done.', form: 'drawn again', place: 'the form itself for a choice in it' },
  ])('are $place, and first say there that it takes longer', async ({ button, answer, form }) => {
    await ann().clicks({ viewId: await openTabInModal() }, { text: 'Form' });
    await ann().clicks({ viewId: (await bot.viewSaying('a form')).id }, { text: button });
    bot.patience.open();
    await bot.viewSaying('Still working');
    bot.gate.open();
    await ann().closes((await bot.viewSaying(answer)).id);
    await bot.viewSaying(form);
  });

  test("are a direct message if Slack can't open a modal", async () => {
    bot.slack.faults.next('views.open', { kind: 'error', error: 'expired_trigger_id' });
    bot.gate.open();
    await ann().choosesShortcut('find_notification');
    await bot.newestDirect('done at last');
  });

  test("are a direct message if Slack can't update the modal that was clicked in", async () => {
    await ann().choosesShortcut('find_notification');
    bot.patience.open();
    await bot.viewSaying('Still working');
    bot.slack.faults.always('views.update', { kind: 'error', error: 'fatal_error' });
    bot.gate.open();
    await bot.newestDirect('done at last');
  });

  test.each([
    ['a mention was written where Notif may not post', 'chat.postMessage', 'restricted_action', 'hello'],
    ['an answer for one person is refused in the channel', 'chat.postEphemeral', 'user_not_in_channel', 'aside'],
  ] as const)('are a direct message if %s', async (_, method, error, words) => {
    bot.slack.faults.next(method, { kind: 'error', error });
    bot.gate.open();
    await ann().says(ONCALL, `@Notif ${words}`);
    await bot.newestDirect('done at last');
  });

  test('say in their place what to do if that refused them, and Slack refuses direct messages, too', async () => {
    bot.slack.faults.next('chat.postEphemeral', { kind: 'error', error: 'user_not_in_channel' });
    bot.slack.workspace.refuseDirectMessages('messages_tab_disabled');
    bot.gate.open();
    await ann().says(ONCALL, '@Notif aside');
    await bot.newest("⚠️ Slack doesn't let Notif write to you: the Slack app's Messages Tab is off");
    bot.slack.workspace.refuseDirectMessages(null);
  });

  test("are a message in a mention's thread, and first say to the person alone that it takes longer", async () => {
    await ann().says(ONCALL, '@Notif hello <there>');
    const { ts } = ann().sees(ONCALL).at(-1) ?? {};
    bot.patience.open();
    expect(await bot.newest('Still working')).toMatchObject({ threadTs: null, onlyVisibleTo: 'U0ANN' });
    bot.gate.open();
    expect(await bot.newest('done at last')).toMatchObject({ threadTs: ts, onlyVisibleTo: null });
    expect(texts).toEqual(['hello &lt;there&gt;']);
  });

  test('end with Done beside a button whose answer is somewhere else', async () => {
    await ann().says(ONCALL, '@Notif ways');
    const { ts } = await bot.newest('answered');
    await ann().clicks({ channel: ONCALL, ts }, { text: 'Elsewhere' });
    bot.patience.open();
    await bot.newest('Still working');
    bot.gate.open();
    await bot.newest('Done');
  });

  test('in a channel name people instead of mentioning them, but for who asked', async () => {
    bot.gate.open();
    await ann().says(ONCALL, '@Notif hello');
    expect(wordsOf(await bot.newest('done at last by Ben for <@U0ANN>'))).not.toContain('<@U0BEN>');
  });

  test('are none for what no person wrote', async () => {
    bot.gate.open();
    const written = { user: 'U0ANN', text: 'hello', ts: '1.1' };
    const hears = (change: object) => {
      const event = { type: 'message', channel_type: 'im', channel: 'D0ANN', ...written, ...change };
      const body = { type: 'event_callback', team_id: 'T0SANDBOX', event };
      return bot.app.processEvent({ body, ack: async () => {} });
    };
    await hears({ user: 'U0BOT', bot_id: 'B0BOT', text: 'its own' });
    await hears({ bot_id: 'B0OTHER', text: "another app's" });
    await hears({ subtype: 'huddle_thread', text: 'A huddle started' });
    await hears({ subtype: 'message_changed', user: undefined, text: undefined, message: written });
    await hears({});
    expect(texts).toEqual(['hello']);
  });
});
