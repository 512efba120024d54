import { z } from 'zod';
import { storableText, stored } from '../lib/text/shown-id.ts';
import type { Db } from '../store/db.ts';
import { getValue, putValue } from '../store/kv.ts';

const KEY = 'last-heartbeat';

/** `why` it wasn't answered is a clause: "its address answered 404". */
export const LastHeartbeat = z.object({ why: z.string().nullable() });

export const lastHeartbeat = (db: Db): Promise<z.output<typeof LastHeartbeat> | null> =>
  getValue(db, KEY, LastHeartbeat);

export const noteHeartbeat = (db: Db, why: string | null): Promise<void> =>
  putValue(db, KEY, LastHeartbeat, stored({ why: why && storableText(why) }));
