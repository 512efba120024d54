import { describe, expect, test } from 'vitest';
import { clientOf, refusalOf, slackEachTest } from '../local-slack.testing.ts';

const channel = 'C0ONCALL';

describe('changes of channels', () => {
  const slack = slackEachTest();
  const client = () => clientOf(slack);

  const ann = () => slack.workspace.as('U0ANN');
  const info = async () => (await client().conversations.info({ channel })).channel;
  const post = (to = channel) => client().chat.postMessage({ channel: to, text: 'news' });

  test('refuse every write to an archived channel until it is unarchived', async () => {
    const { ts = '' } = await post();
    ann().archives(channel);
    expect(await info()).toMatchObject({ is_archived: true, is_member: true });
    expect(await refusalOf(post())).toMatchObject({ error: 'is_archived' });
    const psst = client().chat.postEphemeral({ channel, user: 'U0ANN', text: 'psst' });
    expect(await refusalOf(psst)).toMatchObject({ error: 'is_archived' });
    expect(await refusalOf(client().chat.update({ channel, ts, text: 'new' }))).toMatchObject({ error: 'is_inactive' });
    expect(await ann().types(channel, '/notif')).toMatchObject({ ok: false, error: 'is_archived' });
    ann().unarchives(channel);
    await expect(post()).resolves.toMatchObject({ ok: true });
  });

  test('close the direct message of a deactivated person', async () => {
    slack.workspace.deactivate('U0BEN');
    expect(await refusalOf(client().conversations.open({ users: 'U0BEN' }))).toMatchObject({ error: 'user_disabled' });
    expect(await refusalOf(post('D0BEN'))).toMatchObject({ error: 'is_archived' });
    const psst = client().chat.postEphemeral({ channel, user: 'U0BEN', text: 'psst' });
    expect(await refusalOf(psst)).toMatchObject({ error: 'user_not_in_channel' });
  });
});
