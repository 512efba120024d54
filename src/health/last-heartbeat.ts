import { z } from 'zod';
import { storableText, stored } from '../lib/text/shown-id.ts';
import type { Db } from '../store/db.ts';
import { getValue, putValue } from '../store/kv.ts';

const KEY = 'last-heartbeat';

/** `why` it wasn't answered, or was withheld, is a clause: "its address answered 404". */
export const LastHeartbeat = z.object({
  why: z.string().nullable(),
  isWithheld: z.boolean().default(false),
  at: z.coerce.date().optional(),
});

type LastHeartbeat = z.output<typeof LastHeartbeat>;

export const lastHeartbeat = (db: Db): Promise<LastHeartbeat | null> => getValue(db, KEY, LastHeartbeat);

export const noteHeartbeat = (db: Db, { why, ...heartbeat }: LastHeartbeat): Promise<void> =>
  putValue(db, KEY, { Value: LastHeartbeat, value: stored({ why: why && storableText(why), ...heartbeat }) });
