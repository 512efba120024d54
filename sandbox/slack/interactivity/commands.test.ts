import { expect, test } from 'vitest';
import { startSlack } from '../local-slack.testing.ts';

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

test('the punctuation after an address is no part of its link', async () => {
  const slack = await startSlack();
  const ann = slack.workspace.as('U0ANN');
  await ann.says('C0GENERAL', 'What about https://a.test/b?c=d (see https://a.test/e)?');
  expect(ann.sees('C0GENERAL')[0]?.text).toBe('What about <https://a.test/b?c=d> (see <https://a.test/e>)?');
  await slack.close();
});
