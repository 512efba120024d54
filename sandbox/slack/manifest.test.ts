import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readManifest } from './manifest.ts';

describe('readManifest', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'manifest-'));
    file = join(folder, 'manifest.yml');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('reads commands, shortcuts and scopes, with Slack’s defaults', async () => {
    await writeFile(
      file,
      `display_information: { name: App }
features: { slash_commands: [{ command: /app, description: d }] }
oauth_config: { scopes: { bot: [commands] } }`,
    );
    expect(await readManifest(file)).toMatchObject({
      features: { slash_commands: [{ command: '/app', usage_hint: '', should_escape: false }], shortcuts: [] },
      oauth_config: { scopes: { bot: ['commands'] } },
    });
  });

  it('names the file and the field that is wrong', async () => {
    await writeFile(file, 'display_information: { name: App }');
    await expect(readManifest(file)).rejects.toThrow(/manifest\.yml is not a usable app manifest[\s\S]*features/);
  });
});
