import { expect, test } from 'vitest';
import { wordsOf } from '../../slack.testing.ts';
import { noFileMessage } from './file-message.ts';

test.each([
  ['missing_scope', 'Reinstall the Slack app from manifest.yml'],
  ['file_uploads_disabled', "Ask your workspace's administrators"],
] as const)('says why there is no file, and that the pages show the same: %s', (why, words) => {
  const said = wordsOf(noFileMessage(why));
  expect(said).toContain(words);
  expect(said).toContain('the pages above show everybody');
});
