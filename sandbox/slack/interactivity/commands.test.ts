import { expect, it } from 'vitest';
import { botOf, startSlackWith } from '../testing.ts';

it.each([
  [false, 'watch mention:@oncall @ann #general'],
  [true, 'watch mention:<!subteam^S0ONCALL|@oncall> <@U0ANN|ann> <#C0GENERAL|general>'],
])('sends mentions in a command as typed, or as references: should_escape %s', async (shouldEscape, sent) => {
  const slack = await startSlackWith(['features', 'slash_commands', 0, 'should_escape'], shouldEscape);
  const app = botOf(slack);
  const texts: string[] = [];
  app.command('/notif', async ({ ack, command }) => {
    texts.push(command.text);
    await ack();
  });
  await app.start();
  await slack.workspace.as('U0ANN').types('C0ONCALL', '/notif watch mention:@oncall @ann #general');
  expect(texts).toEqual([sent]);
  await app.stop();
  await slack.close();
});
