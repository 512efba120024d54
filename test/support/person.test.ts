import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LocalSlack } from '../../sandbox/slack/server.ts';
import { botOf, clientOf, startSlack, startSlackWith } from '../../sandbox/slack/testing.ts';
import { ONCALL, Person } from './person.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const row = (name: string) => ({
  type: 'section' as const,
  text: { type: 'mrkdwn' as const, text: name },
  accessory: { type: 'overflow' as const, action_id: 'row', options: [{ text: plain('Mute'), value: name }] },
});

describe('a person in a journey', () => {
  let slack: LocalSlack;
  let ann: Person;
  beforeEach(async () => {
    slack = await startSlack();
    slack.workspace.grant('files:write');
    ann = new Person('U0ANN', slack.workspace);
  });
  afterEach(() => slack.close());

  test("waits for a mention, and an edit doesn't count as one", async () => {
    const client = clientOf(slack);
    const mention = ann.isMentioned('look');
    const { ts = '' } = await client.chat.postMessage({ channel: ONCALL, text: 'one' });
    await client.chat.update({ channel: ONCALL, ts, text: '<@U0ANN> look there' });
    await client.chat.postMessage({ channel: ONCALL, text: '<@U0ANN> look here' });
    expect((await mention).words).toContain('look here');
    expect(ann.mentions()).toHaveLength(1);
    expect(ann.messages(ONCALL)[0]).toMatchObject({ edits: 1, mentionsMe: false });
  });

  test('waits for a file and reads it', async () => {
    const file = ann.opensFile('all.csv');
    await clientOf(slack).filesUploadV2({ channel_id: 'D0ANN', content: 'id\nuser-1\n', filename: 'all.csv' });
    expect(await file).toMatchObject({ name: 'all.csv', size: 10, text: 'id\nuser-1\n' });
  });

  test("chooses from a row's menu", async () => {
    const app = botOf(slack);
    const chosen: unknown[] = [];
    app.action('row', async ({ ack, action }) => {
      chosen.push(action);
      await ack();
    });
    await app.start();
    await app.client.chat.postMessage({ channel: ONCALL, text: 'rows', blocks: [row('first'), row('second')] });
    await ann.choosesFromMenu('Mute', await ann.sees('second', ONCALL), 'second');
    expect(chosen).toMatchObject([{ type: 'overflow', selected_option: { value: 'second' } }]);
    await app.stop();
  });

  test('creates and archives channels, and invites and removes the bot', async () => {
    const alerts = await ann.createsChannel('alerts');
    await ann.invitesBot(alerts);
    await clientOf(slack).chat.postMessage({ channel: alerts, text: 'hello' });
    await ann.sees('hello', alerts);
    await ann.removesBot(alerts);
    await ann.archives(alerts);
    await expect(ann.types('anybody?', alerts)).rejects.toThrow('is_archived');
    await ann.unarchives(alerts);
    await ann.types('anybody?', alerts);
  });

  test('asks the bot in a channel and in a thread', async () => {
    await ann.says('@Notif txn_1', { channel: ONCALL });
    const question = await ann.sees('txn_1', ONCALL);
    await ann.says('and txn_2?', { inThreadOf: question });
    expect(slack.workspace.as('U0BEN').sees(ONCALL)).toMatchObject([
      { threadTs: null },
      { threadTs: question.spot.ts },
    ]);
  });

  test('reads and clicks on the Home tab', async () => {
    const home = await startSlackWith({ 'features.app_home.home_tab_enabled': true });
    const app = botOf(home);
    app.action('go', async ({ ack, body, client }) => {
      await ack();
      await client.views.publish({
        user_id: body.user.id,
        view: { type: 'home', blocks: [{ type: 'header', text: plain('Gone') }] },
      });
    });
    await app.start();
    const go = { type: 'button' as const, action_id: 'go', text: plain('Go') };
    await app.client.views.publish({
      user_id: 'U0ANN',
      view: { type: 'home', blocks: [{ type: 'actions', elements: [go] }] },
    });
    const visitor = new Person('U0ANN', home.workspace);
    await visitor.opensHome();
    await visitor.clicks('Go', await visitor.seesHome('Go'));
    await visitor.seesHome('Gone');
    await app.stop();
    await home.close();
  });
});
