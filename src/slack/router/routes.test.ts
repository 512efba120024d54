import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PersonUnknownError } from '../../lib/errors.ts';
import { actions, button, option, section } from '../kit/blocks.ts';
import { searchInput, textInput } from '../kit/inputs.ts';
import { message } from '../kit/message.ts';
import { AnswerAt } from '../kit/places.ts';
import { mrkdwn, present } from '../kit/text.ts';
import { formView, resultView, waitingView } from '../kit/views.ts';
import { wordsOf } from '../slack.testing.ts';
import { type Command, runCommand } from './command.ts';
import { actionRoute, answerRoute, routesFor } from './route.ts';
import { ONCALL, RoutedSlack } from './routed-slack.testing.ts';
import { notifRoutes } from './run-and-share.ts';

const said = (words: string) => message([section(mrkdwn`${words}`)]);
const withButtons = message([
  section(mrkdwn`card`),
  ...actions([button('Turn', 'test.turn', 'v1|ok'), button('Old', 'test.old', 'v0'), button('Gone', 'test.gone', '')]),
]);

const form = formView({
  callbackId: 'test.form',
  title: 'A form',
  submit: 'Send',
  blocks: [
    textInput({ blockId: 'word', label: 'Word' }),
    {
      ...searchInput({ blockId: 'test.search', actionId: 'test.search', label: 'Search' }, null),
      optional: true,
    },
  ],
});

const opened = formView({
  callbackId: 'test.form-with-buttons',
  title: 'A form',
  submit: 'Send',
  blocks: [section(mrkdwn`opened`), ...actions([button('Peek', 'test.peek', '')])],
});

describe('Slack routes', () => {
  const bot = new RoutedSlack();
  const { ann, ctx } = bot;

  function command(word: string, answer: Command['answer']): Command {
    const filters = ['workflow', 'since', 'env'] as const;
    return { word, purpose: 'lookup', usage: '', about: '', examples: [], for: 'everyone', filters, answer };
  }

  const commands = [
    command('say', async ({ words }, { reply }) => reply.show(said(words.join(' ')))),
    { ...command('keep', async ({ text }, { reply }) => reply.show(said(text))), follows: 'text' as const },
    command('list', async ({ filters }, { reply }) => reply.show(said(`only ${filters.workflow?.join(' or ')}`))),
    command('wait', async (_asked, { reply }) => {
      await bot.gate.opened;
      await reply.show(said('done at last'));
    }),
    command('card', async (_asked, { reply }) => reply.show(withButtons)),
    command('broken', async () => {
      throw new Error('a secret: hunter2');
    }),
    command('form', async (_asked, interaction) => {
      await interaction.openModal(form);
    }),
    command('asked-form', async (_asked, interaction) => {
      const privateMetadata = JSON.stringify(interaction.answerAt);
      await interaction.openModal({ ...form, callback_id: 'test.asked-form', private_metadata: privateMetadata });
    }),
    command('with-buttons', async (_asked, interaction) => {
      await interaction.openModal(opened);
    }),
  ];

  bot.routes = [
    ...notifRoutes({ ...ctx, channels: { isShared: async () => false } }, (interaction) =>
      runCommand(ctx, interaction, {
        commands,
        lookup: async () => said('looked up'),
        incidentAnswer: async () => said('an incident'),
        whichIncident: (error) => Promise.reject(error),
      }),
    ),
    ...routesFor('everyone', [
      actionRoute(
        'test.turn',
        (value) => (value === 'v1|ok' ? value : null),
        async (_value, { reply }) => reply.replace(said('turned')),
      ),
      answerRoute(
        'test.old',
        () => null,
        async () => said('never'),
      ),
      { surface: 'options', id: 'test.search', answer: async ({ typed }) => present([option(typed, typed)]) },
      actionRoute('test.peek', String, async (_value, { reply }) => reply.show(said('peeked'))),
      {
        surface: 'view',
        id: 'test.asked-form',
        take: ({ privateMetadata }) => {
          const answerAt = AnswerAt.parse(JSON.parse(privateMetadata));
          return {
            is: 'accepted',
            next: null,
            answerAt,
            answer: async ({ reply }) => {
              await bot.gate.opened;
              await reply.show(said('took it'));
            },
          };
        },
      },
      {
        surface: 'view',
        id: 'test.form',
        take: ({ valueIn, privateMetadata }) => {
          if (privateMetadata !== '{}') z.object({ subject: z.string() }).parse(JSON.parse(privateMetadata));
          return {
            is: 'accepted',
            next: valueIn('word') === 'stay' ? waitingView('A form', mrkdwn`Looking …`) : null,
            answer: async ({ modal }) => void (await modal.update(resultView(said(`took ${valueIn('word')}`)))),
          };
        },
      },
    ]),
  ];

  test("answer a command whose 'Still working' Slack refused", async () => {
    bot.slack.faults.next('response_url', { kind: 'http', status: 500 });
    await ann().types(ONCALL, '/notif wait');
    bot.patience.open();
    await expect.poll(bot.heard.sentences).toContain("'still working' couldn't be shown to a person, or taken back");
    bot.gate.open();
    await bot.newest('done at last');
  });

  test('offer the incident of a number that was typed without its #, and to look it up as an ID', async () => {
    await ann().types(ONCALL, '/notif 17');
    const { text, blocks } = await bot.newest("17 isn't a command.");
    expect(text).toContain('Did you mean `/notif #17`?\nTo look it up as an ID: `/notif event 17`.');
    expect(wordsOf({ blocks })).toContain('Run #17');
  });

  test('offer no command for what may be an ID or the opposite', async () => {
    await ann().types(ONCALL, '/notif say-x');
    await bot.newest("say-x isn't a command. All commands: `/notif help`.");
    await ann().types(ONCALL, '/notif unkeep it');
    await bot.newest("unkeep isn't a command. All commands: `/notif help`.");
  });

  test('name whom a text mentions, which Slack leaves out in messages', async () => {
    await ann().types(ONCALL, '/notif keep ask <@U0ANN> or <@U0GONE> of <!subteam^S0OPS> in <#C0ONCALL|>');
    await bot.newest('ask @ann or @somebody of @group in #channel');
  });

  test("show only the log's reference for an unexpected error", async () => {
    await ann().types(ONCALL, '/notif broken');
    const { text } = await bot.newest('Something went wrong in Notif itself.');
    expect(text).toContain('Reference 7F3K2');
    expect(text).not.toContain('hunter2');
    expect(bot.heard.log).toMatchObject([{ level: 'error', fields: { reference: '7F3K2' } }]);
  });

  test('log an answer that Slack refused in every way', async () => {
    bot.slack.faults.always('response_url', { kind: 'http', status: 500 });
    bot.slack.faults.always('chat.postMessage', { kind: 'error', error: 'messages_tab_disabled' });
    await ann().types(ONCALL, '/notif say hello');
    await expect.poll(bot.heard.sentences).toContain("An error couldn't be shown to a person");
  });

  async function card() {
    await ann().types(ONCALL, '/notif card');
    const { ts } = await bot.newest('card');
    return { channel: ONCALL, ts };
  }

  test.each(['Old', 'Gone'])('explain that a button is from an older version: %s', async (text) => {
    const spot = await card();
    expect((await ann().clicks(spot, { text })).ok).toBe(true);
    await bot.newest('from an older version of Notif');
  });

  async function openForm() {
    await ann().types(ONCALL, '/notif form');
    return (await bot.viewSaying('A form')).id;
  }

  test('answer a select in which somebody types, if that person may', async () => {
    const view = await openForm();
    expect(JSON.stringify(await ann().typesInSelect(view, 'test.search', 'quick'))).toContain('quick');
    bot.refusal = new PersonUnknownError('user_not_found');
    expect(JSON.stringify(await ann().typesInSelect(view, 'test.search', 'quick'))).not.toContain('quick');
  });

  test('answer a form that stays open in its modal, after its acknowledgment', async () => {
    const view = await openForm();
    await ann().fillsIn(view, { Word: 'stay' });
    await ann().submits(view);
    await ann().types(ONCALL, '/notif say meanwhile');
    await bot.newest('meanwhile');
    await bot.viewSaying('Looking …');
    bot.patience.open();
    await bot.viewSaying('took stay');
  });

  test('answer a form that has closed where it was requested, and say there that it takes longer', async () => {
    await ann().types(ONCALL, '/notif asked-form');
    const { id } = await bot.viewSaying('A form');
    await ann().fillsIn(id, { Word: 'go' });
    await ann().submits(id);
    bot.patience.open();
    await bot.newest('⏳ Still working. The answer follows.');
    bot.gate.open();
    expect(await bot.newest('took it')).toMatchObject({ onlyVisibleTo: 'U0ANN' });
  });

  test("explain above a form that Slack doesn't say who is an operator, so that what was typed stays", async () => {
    await ann().types(ONCALL, '/notif with-buttons');
    const { id } = await bot.viewSaying('opened');
    bot.refusal = new PersonUnknownError('ratelimited');
    await ann().clicks({ viewId: id }, { text: 'Peek' });
    const explained = await bot.viewSaying("Slack didn't say whether you can do this");
    expect(JSON.stringify(explained.view)).toContain('7F3K2');
    expect(
      ann()
        .views()
        .map((view) => view.id),
    ).toEqual([id, explained.id]);
    await ann().closes(explained.id);
    await bot.viewSaying('opened');
  });

  test('answer a shortcut without a route', async () => {
    await ann().choosesShortcut('send_test_notification');
    await bot.viewSaying('from an older version of Notif');
  });
});
