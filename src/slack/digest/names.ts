import { setTimeout } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import { NAMES_WITHIN_MS } from '../../domain/alerting/pace.ts';

/** Leaves out anyone whom Slack doesn't name within two seconds. */
export async function namesOf(userIds: readonly string[], client: WebClient): Promise<ReadonlyMap<string, string>> {
  const named = await Promise.all(userIds.map(async (id) => [id, await nameOf(id, client)] as const));
  return new Map(named.flatMap(([id, name]) => (name === null ? [] : [[id, name] as const])));
}

async function nameOf(userId: string, client: WebClient): Promise<string | null> {
  const asked = client.users.info({ user: userId }).then(
    ({ user }) => user?.profile?.display_name || user?.profile?.real_name || user?.name || null,
    () => null,
  );
  const controller = new AbortController();
  try {
    return await Promise.race([asked, setTimeout(NAMES_WITHIN_MS, null, { signal: controller.signal, ref: false })]);
  } finally {
    controller.abort();
  }
}
