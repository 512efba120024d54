import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clientOf, startSlack } from '../local-slack.testing.ts';
import type { PageAct, Snapshot } from '../page-protocol.ts';
import type { LocalSlack } from '../server.ts';

describe("the page's API", () => {
  let folder: string;
  let slack: LocalSlack;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'page-'));
    await writeFile(join(folder, 'index.html'), '<p>the page</p>');
    await writeFile(join(folder, 'page.js'), 'export {}');
    slack = await startSlack({ pageFiles: folder });
  });
  afterEach(async () => {
    await slack.close();
    await rm(folder, { recursive: true });
  });

  const snapshot = async (): Promise<Snapshot> =>
    JSON.parse(await (await fetch(`${slack.url}/page/snapshot?as=U0ANN`)).text());
  const act = async (body: PageAct | { do: 'dance' }, type = 'application/json') => {
    const init = { method: 'POST', headers: { 'content-type': type }, body: JSON.stringify(body) };
    return (await fetch(`${slack.url}/page/act?as=U0ANN`, init)).json();
  };

  test('serves a file, as a download, to anyone who sees it', async () => {
    await clientOf(slack).filesUploadV2({ channel_id: 'D0ANN', content: '<script>', filename: 'a "b".csv' });
    const { conversations } = await snapshot();
    const id = conversations.flatMap(({ messages }) => messages).flatMap(({ files }) => files)[0]?.id;
    const file = await fetch(`${slack.url}/page/file?as=U0ANN&id=${id}`);
    expect(await file.text()).toBe('<script>');
    expect(file.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''a%20%22b%22.csv");
    expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await fetch(`${slack.url}/page/file?as=U0BEN&id=${id}`)).status).toBe(404);
  });

  test("rejects an interaction that isn't JSON or is invalid", async () => {
    expect(await act({ do: 'close-view', viewId: 'V0' }, 'text/plain')).toMatchObject({
      error: 'invalid_content_type',
    });
    expect(await act({ do: 'dance' })).toMatchObject({ error: 'invalid_act' });
  });

  test.each(['/..%2f..%2fpackage.json', '/%2e%2e/secret.js', '/missing.js', '//'])(
    'answers a path that is not of its files with the page, or says that there is none: %s',
    async (path) => {
      const { status, body } = await rawGet(slack.url, path, '127.0.0.1');
      expect(body).toBe(status === 404 ? 'Not found: the page may not be built yet.' : '<p>the page</p>');
    },
  );

  test('rejects requests with a foreign host name', async () => {
    expect(await rawGet(slack.url, '/page/snapshot?as=U0ANN', 'evil.example')).toMatchObject({ status: 403 });
  });
});

/** Sends a request with an unchanged path and any host, which fetch doesn't allow. */
function rawGet(origin: string, path: string, host: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const call = request(origin, { path, headers: { host } }, async (response) => {
      let body = '';
      for await (const chunk of response) body += String(chunk);
      resolve({ status: response.statusCode ?? 0, body });
    });
    call.on('error', reject).end();
  });
}
