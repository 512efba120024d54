import pg from 'pg';
import { expect, it } from 'vitest';
import { bounced, hostile, leaky } from '../../sandbox/notification-service/examples.ts';
import { plantedSecrets } from '../../sandbox/notification-service/planted-secrets.ts';
import { ONCALL } from '../support/person.ts';
import { inWorldAsleep } from '../support/world.ts';

// That no message and no line of the log holds a secret is looked at when any world closes.
it(
  'keeps secrets and contacts out of its database, whatever people do with an event that is full of them',
  inWorldAsleep({ database: 'server' }, async ({ ann, service, start, stop, variables }) => {
    const event = service.world.plantEvent(leaky({ workflow: 'password-reset' }));
    for (const example of [bounced, hostile]) service.world.plantEvent(example());
    await start();

    await ann.clicks('Look up', await ann.sees(event.transactionId, ONCALL), event.transactionId);
    const card = await ann.gets(event._id, ONCALL);
    await ann.opens('Raw', card, 'Page 1 of');
    await ann.opens('Send again', card, 'What can not be restored');
    expect(await ann.submits()).toEqual([]);
    await ann.sees('✅ user-1 delivered: email', ann.directMessages);
    await ann.asks('/notif failures');
    await stop();

    const kept = await everythingIn(variables.DATABASE_URL ?? '');
    expect(kept).toContain(event._id);
    for (const secret of Object.values(plantedSecrets)) expect(kept).not.toContain(secret);
  }),
);

/** Every row of every table, as PostgreSQL writes it. */
async function everythingIn(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const rows: string[] = [];
  for (const { name } of tables) {
    const { rows: found } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    rows.push(...found.map(({ row }) => row));
  }
  await client.end();
  return rows.join('\n');
}
