import type { App } from '@slack/bolt';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { botOf, clientOf, startSlack } from '../../../sandbox/slack/local-slack.testing.ts';
import type { LocalSlack } from '../../../sandbox/slack/server.ts';
import { PersonUnknownError } from '../../lib/errors.ts';
import { heard } from '../../lib/logger.testing.ts';
import { dbAnswering } from '../../store/store.testing.ts';
import { actions, button, option, section } from '../kit/blocks.ts';
import { searchInput, textInput } from '../kit/inputs.ts';
import { message } from '../kit/message.ts';
import { mrkdwn, present } from '../kit/text.ts';
import { formView, resultView, waitingView } from '../kit/view.ts';
import { newGate, PRODUCTION, sleepingUntil, wordsOf } from '../slack.testing.ts';
import { type Command, notifRoutes, runCommand } from './command.ts';
import { registerRoutes } from './register.ts';
import { actionRoute, answerRoute, type Route, routesFor } from './route.ts';

const ONCALL = 'C0ONCALL';

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
      ...searchInput({ blockId: 'test.search', actionId: 'test.search', label: 'Search' }, 'Type', null),
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
  let slack: LocalSlack;
  let app: App;
  let gate = newGate();
  let patience = newGate();
  /** Null if nobody is. */
  let refusal: Error | null = null;
  /** The last message Ann saw before the test. */
  let before = '';
  const { logger, log, sentences } = heard();

  const parts = {
    now: () => new Date(),
    environments: [PRODUCTION],
    workspace: { timeZoneOf: async () => null, namesOf: async () => new Map([['U0ANN', 'ann']]) },
    accessControl: {
      authorize: async () => {
        if (refusal !== null) throw refusal;
      },
      canUse: async () => true,
    },
    db: dbAnswering(async () => []),
    operators: { who: 'nobody' } as const,
    logger,
    newReference: () => '7F3K2',
    sleep: sleepingUntil(() => patience),
  };

  function command(word: string, answer: Command['answer']): Command {
    return { word, usage: '', about: '', examples: [], for: 'everyone', filters: ['workflow', 'since', 'env'], answer };
  }

  const commands = [
    command('say', async ({ words }, { reply }) => reply.show(said(words.join(' ')))),
    { ...command('keep', async ({ text }, { reply }) => reply.show(said(text))), follows: 'text' as const },
    command('list', async ({ filters }, { reply }) => reply.show(said(`only ${filters.workflow?.join(' or ')}`))),
    command('wait', async (_asked, { reply }) => {
      await gate.opened;
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
      const privateMetadata = JSON.stringify(interaction.answerUrl);
      await interaction.openModal({ ...form, callback_id: 'test.asked-form', private_metadata: privateMetadata });
    }),
    command('with-buttons', async (_asked, interaction) => {
      await interaction.openModal(opened);
    }),
  ];

  const routes: Route[] = [
    ...notifRoutes({ ...parts, channels: { isShared: async () => false } }, (interaction) =>
      runCommand(parts, interaction, {
        commands,
        lookup: async () => said('looked up'),
        showNumbered: async () => {},
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
      {
        surface: 'options',
        id: 'test.search',
        answer: async ({ typed }) => present([option(typed, typed)]),
      },
      actionRoute('test.peek', String, async (_value, { reply }) => reply.show(said('peeked'))),
      {
        surface: 'view',
        id: 'test.asked-form',
        take: ({ privateMetadata }) => {
          const answerUrl = z.string().parse(JSON.parse(privateMetadata));
          return {
            is: 'accepted',
            next: null,
            answerUrl,
            answer: async ({ reply }) => {
              await gate.opened;
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

  beforeAll(async () => {
    slack = await startSlack();
    app = botOf(slack);
    registerRoutes({ ...parts, deliveryClient: clientOf(slack) }, app, routes);
    await app.start();
  });
  afterAll(async () => {
    await app.stop();
    await slack.close();
  });
  beforeEach(async () => {
    log.length = 0;
    refusal = null;
    gate = newGate();
    patience = newGate();
    slack.faults.clear();
    slack.calls.clear();
    before = ann().sees(ONCALL).at(-1)?.ts ?? '';
    const { id } = ann().view() ?? {};
    if (id !== undefined) await ann().closes(id);
  });

  const ann = () => slack.workspace.as('U0ANN');

  /** Waits for the newest message that Ann has seen in the channel since the test began, and that contains these words. */
  function newest(words: string, channel = ONCALL) {
    const look = () => {
      const last = ann().sees(channel).at(-1);
      return last !== undefined && last.ts > before && `${last.text} ${wordsOf(last)}`.includes(words)
        ? last
        : undefined;
    };
    return slack.workspace.until(look, { what: words });
  }

  function viewSaying(words: string) {
    const look = () => {
      const view = ann().view();
      return view !== undefined && JSON.stringify(view.view).includes(words) ? view : undefined;
    };
    return slack.workspace.until(look, { what: words });
  }

  test('inform people that the answer takes longer, then answer', async () => {
    await ann().types(ONCALL, '/notif wait');
    patience.open();
    await newest('⏳ Still working. The answer follows.');
    gate.open();
    await newest('done at last');
  });

  test("answer a command whose 'Still working' Slack refused", async () => {
    slack.faults.next('response_url', { kind: 'http', status: 500 });
    await ann().types(ONCALL, '/notif wait');
    patience.open();
    await expect.poll(sentences).toContain("'still working' couldn't be shown to a person, or taken back");
    gate.open();
    await newest('done at last');
  });

  test('offer the incident of a number that was typed without its #, and to look it up as an ID', async () => {
    await ann().types(ONCALL, '/notif 17');
    const { text, blocks } = await newest("17 isn't a command.");
    expect(text).toContain('Did you mean `/notif #17`?\nTo look it up as an ID: `/notif event 17`.');
    expect(wordsOf({ blocks })).toContain('Run #17');
  });

  test('offer the command that a longer word begins with, but not for what may be an ID', async () => {
    await ann().types(ONCALL, '/notif saying hello');
    expect(wordsOf(await newest("saying isn't a command. Did you mean `/notif say`?"))).toContain('Run say');
    await ann().types(ONCALL, '/notif say-x');
    await newest("say-x isn't a command. All commands: `/notif help`.");
  });

  test('name whom a text mentions, which Slack leaves out in messages', async () => {
    await ann().types(ONCALL, '/notif keep ask <@U0ANN> or <@U0GONE> of <!subteam^S0OPS> in <#C0ONCALL|>');
    await newest('ask @ann or @somebody of @group in #channel');
  });

  test("show only the log's reference for an unexpected error", async () => {
    await ann().types(ONCALL, '/notif broken');
    const { text } = await newest('Something went wrong in Notif itself.');
    expect(text).toContain('Reference 7F3K2');
    expect(text).not.toContain('hunter2');
    expect(log).toMatchObject([{ level: 'error', fields: { reference: '7F3K2' } }]);
  });

  test('log an answer that Slack refused in every way', async () => {
    slack.faults.always('response_url', { kind: 'http', status: 500 });
    slack.faults.always('chat.postMessage', { kind: 'error', error: 'messages_tab_disabled' });
    await ann().types(ONCALL, '/notif say hello');
    await expect.poll(sentences).toContain("An error couldn't be shown to a person");
  });

  async function card() {
    await ann().types(ONCALL, '/notif card');
    const { ts } = await newest('card');
    return { channel: ONCALL, ts };
  }

  test.each(['Old', 'Gone'])('explain that a button is from an older version: %s', async (text) => {
    const spot = await card();
    expect((await ann().clicks(spot, { text })).ok).toBe(true);
    await newest('from an older version of Notif');
  });

  async function openForm() {
    await ann().types(ONCALL, '/notif form');
    return (await viewSaying('A form')).id;
  }

  test('answer a select in which somebody types, if that person may', async () => {
    const view = await openForm();
    expect(JSON.stringify(await ann().typesInSelect(view, 'test.search', 'quick'))).toContain('quick');
    refusal = new PersonUnknownError(null);
    expect(JSON.stringify(await ann().typesInSelect(view, 'test.search', 'quick'))).not.toContain('quick');
  });

  test('answer a form that stays open in its modal, after its acknowledgment', async () => {
    const view = await openForm();
    await ann().fillsIn(view, { Word: 'stay' });
    await ann().submits(view);
    await ann().types(ONCALL, '/notif say meanwhile');
    await newest('meanwhile');
    await viewSaying('Looking …');
    patience.open();
    await viewSaying('took stay');
  });

  test('answer a form that has closed where it was requested, and say there that it takes longer', async () => {
    await ann().types(ONCALL, '/notif asked-form');
    const { id } = await viewSaying('A form');
    await ann().fillsIn(id, { Word: 'go' });
    await ann().submits(id);
    patience.open();
    await newest('⏳ Still working. The answer follows.');
    gate.open();
    expect(await newest('took it')).toMatchObject({ onlyVisibleTo: 'U0ANN' });
  });

  test("explain above a form that Slack doesn't say who is an operator, so that what was typed stays", async () => {
    await ann().types(ONCALL, '/notif with-buttons');
    const { id } = await viewSaying('opened');
    refusal = new PersonUnknownError(new Error('ratelimited'));
    await ann().clicks({ viewId: id }, { text: 'Peek' });
    const explained = await viewSaying("Slack didn't say whether you can do this");
    expect(JSON.stringify(explained.view)).toContain('7F3K2');
    expect(
      ann()
        .views()
        .map((view) => view.id),
    ).toEqual([id, explained.id]);
    await ann().closes(explained.id);
    await viewSaying('opened');
  });

  test('answer a shortcut without a route', async () => {
    await ann().choosesShortcut('send_test_notification');
    await viewSaying('from an older version of Notif');
  });
});
