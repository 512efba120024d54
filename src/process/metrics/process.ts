import { Gauge, type Registry } from 'prom-client';
import type { Backlog } from '../../domain/health/backlog.ts';
import { sinceSuccessMs } from '../../domain/health/status.ts';
import type { AskShared, MetricSources, SharedNumbers } from './sources.ts';

export function measureProcess(
  registry: Registry,
  { freeBytes, isSlackConnected, now }: MetricSources,
  askShared: AskShared,
): void {
  const gauge = (name: string, help: string, measure: () => number | null | Promise<number | null>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const value = await measure();
        // A gauge that was never set shows 0, which would be wrong.
        if (value === null) this.remove();
        else this.set(value);
      },
    });
  gauge('notif_slack_connected', '1 while a socket to Slack is open', () => Number(isSlackConnected()));
  gauge('notif_database_answers', '1 where the database answered just now', async () =>
    Number((await askShared()) !== null),
  );
  gauge('notif_disk_free_bytes', 'Free space on the disk of NOTIF_DATA_DIR', freeBytes);
  gauge('notif_delivery_age_seconds', 'Since a delivery run last ended without an unexpected error', async () => {
    const shared = await askShared();
    return shared === null ? null : sinceSuccessMs(shared.lastDeliveryAt, now()) / 1000;
  });
  gauge('notif_messages_waiting', 'Messages that Slack has not taken yet', async () => {
    return (await askShared())?.backlog.waiting ?? null;
  });
  gauge('notif_oldest_message_waiting_seconds', 'For how long the oldest of them has waited; 0 without one', async () =>
    secondsWaited(await askShared(), 'oldest', now()),
  );
  gauge(
    'notif_oldest_message_held_up_seconds',
    'The same without those that wait for somebody to fix their channel',
    async () => secondsWaited(await askShared(), 'oldestHeldUp', now()),
  );
}

function secondsWaited(shared: SharedNumbers | null, which: keyof Pick<Backlog, 'oldest' | 'oldestHeldUp'>, now: Date) {
  if (shared === null) return null;
  const since = shared.backlog[which];
  return since === null ? 0 : (now.getTime() - since.getTime()) / 1000;
}
