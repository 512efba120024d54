import { expect, test } from 'vitest';
import { wordsOf } from '../../slack.testing.ts';
import { noFileMessage } from './file-message.ts';

test.each([
  [{ why: 'not-granted', scope: 'files:write' }, "the Slack app wasn't granted files:write"],
  [{ why: 'closed', word: 'file_uploads_disabled' }, 'file uploads are turned off or restricted in this workspace'],
  [{ why: 'closed', word: 'channel_not_found' }, "Slack doesn't accept files in your direct messages with Notif"],
] as const)('says why there is no file, and that the pages show the same: %j', (why, words) => {
  const said = wordsOf(noFileMessage(why));
  expect(said).toContain(words);
  expect(said).toContain('the pages above show everybody');
});
