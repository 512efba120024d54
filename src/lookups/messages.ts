import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { workflowsIn } from '../changes/workflows.ts';
import type { Message } from '../service/lists.ts';
import type { NotificationService } from '../service/operations.ts';
import { type MessageQuery, type Page, PERSON } from '../service/query.ts';
import { type Db, textList } from '../store/db.ts';

const AftermathRow = z.object({
  eventKey: z.string(),
  channel: z.string(),
  verdict: z.enum(['bounced', 'complained']),
  cause: z.string(),
});

/** What became of a message after the service had sent it: its list keeps saying "sent". */
type Aftermath = Pick<z.output<typeof AftermathRow>, 'verdict' | 'cause'>;

export interface ListedMessage extends Message {
  aftermath?: Aftermath | undefined;
}

/** Returns null if the service knows no such subscriber. */
export async function listMessages(
  db: Db,
  environment: string,
  service: NotificationService,
  query: MessageQuery,
): Promise<Page<ListedMessage> | null> {
  const page = await service.listMessages(query, PERSON);
  if (page === null) return null;
  const isNamed = page.items.every(({ workflow }) => workflow !== null);
  const stored = isNamed ? [] : await workflowsIn(db, environment);
  const names = new Map(stored.map(({ id, identifier }) => [id, identifier]));
  const aftermaths = await aftermathOf(db, environment, page.items);
  const items = page.items.map((message) => {
    const workflow = message.workflow ?? names.get(message.workflowId) ?? message.workflowId;
    return { ...message, workflow, aftermath: aftermaths.get(keyOf(message.eventId, message.channel)) };
  });
  return { ...page, items };
}

const keyOf = (event: string, channel: string): string => JSON.stringify([event, channel]);

async function aftermathOf(
  db: Db,
  environment: string,
  messages: readonly Message[],
): Promise<ReadonlyMap<string, Aftermath>> {
  if (messages.length === 0) return new Map();
  const rows = await db.rows(
    AftermathRow,
    sql`
      SELECT f.event_key, i.channel, f.verdict, coalesce(i.headline, i.cause_text) AS cause
      FROM failures f
      JOIN incidents i ON i.id = f.incident_id
      WHERE f.environment = ${environment}
        AND f.event_key IN ${textList([...new Set(messages.map(({ eventId }) => eventId))])}
        AND f.verdict IN ('bounced', 'complained')`,
  );
  return new Map(rows.map(({ eventKey, channel, ...aftermath }) => [keyOf(eventKey, channel), aftermath]));
}
