import { expect, test } from 'vitest';
import { botOf, startSlack } from '../local-slack.testing.ts';

test('a command has its mentions as references', async () => {
  const slack = await startSlack();
  const app = botOf(slack);
  const texts: string[] = [];
  app.command('/notif', async ({ ack, command }) => {
    texts.push(command.text);
    await ack();
  });
  await app.start();
  await slack.workspace.as('U0ANN').types('C0ONCALL', '/notif watch mention:@oncall @ann #general');
  expect(texts).toEqual(['watch mention:<!subteam^S0ONCALL|@oncall> <@U0ANN|ann> <#C0GENERAL|general>']);
  await app.stop();
  await slack.close();
});

test('a command in a thread is refused in Slack’s words and leaves no message', async () => {
  const slack = await startSlack();
  const ann = slack.workspace.as('U0ANN');
  await ann.says('C0GENERAL', 'a question');
  const [{ ts = '' } = {}] = ann.sees('C0GENERAL');
  expect(await ann.types('C0GENERAL', '/notif help', { threadTs: ts })).toMatchObject({
    ok: false,
    message: '/notif is not supported in threads. Sorry!',
  });
  expect(ann.sees('C0GENERAL')).toHaveLength(1);
  await slack.close();
});
