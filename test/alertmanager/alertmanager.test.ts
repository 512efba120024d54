import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { subSeconds } from 'date-fns';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createAlertmanagerLoop } from '../../src/alerts/pager.ts';
import { act } from '../../src/incidents/verbs.ts';
import { silent } from '../../src/lib/logger.testing.ts';
import { freePort } from '../../src/lib/serve.testing.ts';
import { failure, recordFailures } from '../../src/store/examples.testing.ts';
import { describeStore } from '../../src/store/store.testing.ts';

const CONFIG = 'route: { receiver: nobody }\nreceivers: [{ name: nobody }]\n';

const Shown = z.array(z.object({ labels: z.record(z.string(), z.string()), status: z.object({ state: z.string() }) }));

interface Alertmanager extends AsyncDisposable {
  url: string;
  /** Returns the label `acknowledged` of each alert that it shows. */
  acknowledgedLabels(): Promise<(string | undefined)[]>;
}

/** Starts Debian's package `prometheus-alertmanager` on this machine only. */
async function startAlertmanager(): Promise<Alertmanager> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'alertmanager-'));
  await writeFile(join(folder, 'config.yml'), CONFIG);
  const url = `http://127.0.0.1:${port}`;
  const options = {
    'config.file': join(folder, 'config.yml'),
    'storage.path': folder,
    'web.listen-address': `127.0.0.1:${port}`,
    'cluster.listen-address': '',
  };
  const child = spawn(
    'prometheus-alertmanager',
    Object.entries(options).map(([name, value]) => `--${name}=${value}`),
    { stdio: 'ignore' },
  );
  const isReady = () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isReady).toBe(true);
  const acknowledgedLabels = async () =>
    Shown.parse(await (await fetch(`${url}/api/v2/alerts`)).json()).map(({ labels }) => labels.acknowledged);
  const stop = async () => {
    child.kill();
    await rm(folder, { recursive: true });
  };
  return { url, acknowledgedLabels, [Symbol.asyncDispose]: stop };
}

describeStore('the real Alertmanager', (store) => {
  test('shows an open incident, shows it once acknowledged as that alone, and shows none after it is resolved', async () => {
    await using manager = await startAlertmanager();
    const now = () => new Date();
    const before = subSeconds(now(), 10);
    await recordFailures(store(), before, [failure({ occurredAt: before, eventCreatedAt: before })]);
    const words = { summary: 'SendGrid refuses every email', nextStep: 'Replace the API key' };
    const settings = { url: manager.url, authorization: null, environments: ['production'] };
    const ctx = { db: store().db, now, logger: silent, alertmanager: settings, wordsOf: () => words };
    const loop = createAlertmanagerLoop(ctx);
    const send = () => loop(new AbortController().signal);
    await send();
    await expect.poll(manager.acknowledgedLabels).toEqual(['false']);
    const acting = { db: store().db, logger: silent, now, wakeAnnouncing: async () => {} };
    const [incident] = await store().db.rows(z.object({ id: z.coerce.number() }), 'SELECT id FROM incidents');
    const target = { incidentId: incident?.id ?? 0 };
    await act(acting, target, { what: 'acknowledged' }, 'U0ANN');
    await send();
    await expect.poll(manager.acknowledgedLabels).toEqual(['true']);
    await act(acting, target, { what: 'resolved' }, 'U0ANN');
    await send();
    await expect.poll(manager.acknowledgedLabels).toEqual([]);
  });
});
