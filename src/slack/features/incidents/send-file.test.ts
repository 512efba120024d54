import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalSlack } from '../../../../sandbox/slack/server.ts';
import { clientOf, startSlack } from '../../../../sandbox/slack/testing.ts';
import { sendFile } from './send-file.ts';

const ANN = 'U0ANN';

async function* inPieces(...pieces: readonly string[]) {
  yield* pieces;
}
const file = () => ({ name: 'affected.csv', title: 'Affected', content: inPieces('a,b\r\n', 'ü,2\r\n') });

describe('a file', () => {
  let slack: LocalSlack;
  let poor: LocalSlack;
  beforeAll(async () => {
    [slack, poor] = await Promise.all([startSlack(), startSlack({ withoutScopes: ['files:write'] })]);
  });
  afterAll(() => Promise.all([slack.close(), poor.close()]));

  test('is sent whole to the person’s direct messages only', async () => {
    expect(await sendFile(ANN, file(), clientOf(slack))).toBeNull();
    const ann = slack.workspace.as(ANN);
    const [sent] = ann.sees('D0ANN').flatMap(({ files }) => files);
    expect(sent).toMatchObject({ name: 'affected.csv', title: 'Affected' });
    expect(ann.reads(sent?.id ?? '')).toBe('a,b\r\nü,2\r\n');
    expect(ann.sees('C0ONCALL').flatMap(({ files }) => files)).toEqual([]);
  });

  test("isn't sent if the app lacks a scope, which the answer names", async () => {
    expect(await sendFile(ANN, file(), clientOf(poor))).toBe('missing_scope');
  });

  test("isn't sent if the workspace takes none, which the answer names", async () => {
    slack.faults.next('files.getUploadURLExternal', { kind: 'error', error: 'file_uploads_disabled' });
    expect(await sendFile(ANN, file(), clientOf(slack))).toBe('file_uploads_disabled');
  });

  test('rejects if Slack fails', async () => {
    slack.faults.next('files.completeUploadExternal', { kind: 'http', status: 500 });
    await expect(sendFile(ANN, file(), clientOf(slack))).rejects.toThrow();
  });
});
