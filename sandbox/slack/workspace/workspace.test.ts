import { expect, test } from 'vitest';
import { clientOf, slackEachTest } from '../local-slack.testing.ts';

const slack = slackEachTest();

test('the workspace marks mentions for the people in a new message, but not in an edit', async () => {
  const client = clientOf(slack);
  const channel = 'C0ONCALL';
  const { ts = '' } = await client.chat.postMessage({ channel, text: '<!subteam^S0ONCALL> look' });
  const edited = await client.chat.postMessage({ channel, text: 'quietly' });
  await client.chat.update({ channel, ts: edited.ts ?? '', text: '<@U0ANN> <@U0BEN> look' });
  const mentions = (person: string) =>
    slack.workspace
      .as(person)
      .sees(channel)
      .filter(({ mentionsMe }) => mentionsMe);
  expect(mentions('U0ANN')).toMatchObject([{ ts }]);
  expect(mentions('U0BEN')).toEqual([]);
  const shown = slack.workspace.as('U0BEN').sees(channel)[1];
  expect(shown).toMatchObject({ mentionsMe: false, text: '<@U0ANN> <@U0BEN> look' });
});
