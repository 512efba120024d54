import { describe, expect, test } from 'vitest';
import { clientOf, refusalOf, slackEachTest } from '../local-slack.testing.ts';

const CSV = '\u{feff}subscriber,failures\r\nuser-1,3\r\n';
const oncall = 'C0ONCALL';

describe('files', () => {
  const slack = slackEachTest();
  const client = () => clientOf(slack);

  const complete = (id: string, channel = oncall) =>
    client().files.completeUploadExternal({ files: [{ id }], channel_id: channel });
  const upload = async () => {
    const announced = { filename: 'a.csv', length: Buffer.byteLength(CSV) };
    const { file_id: id = '', upload_url: url = '' } = await client().files.getUploadURLExternal(announced);
    await fetch(url, { method: 'POST', body: CSV });
    return id;
  };

  test.each([
    ['an unknown channel', 'C0NOWHERE', 'channel_not_found'],
    ['the id of a person', 'U0ANN', 'channel_not_found'],
    ['a channel that the bot is not in', 'C0QUIET', 'not_in_channel'],
  ])('can’t be completed for %s, but the upload stays', async (_what, channel, error) => {
    const id = await upload();
    expect(await refusalOf(complete(id, channel))).toMatchObject({ error });
    await expect(complete(id)).resolves.toMatchObject({ files: [{ id }] });
  });

  test('can lose their bytes by a fault', async () => {
    slack.faults.next('upload', { kind: 'http', status: 503 });
    const id = await upload();
    expect(await refusalOf(complete(id))).toMatchObject({ error: 'file_not_found' });
    expect(slack.calls.of('upload')).toMatchObject([{ args: { bytes: Buffer.byteLength(CSV) } }]);
  });
});
