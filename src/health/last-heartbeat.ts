import { z } from 'zod';
import { storableText, stored } from '../lib/text/shown-id.ts';
import type { Db } from '../store/db.ts';
import { getValue, putValue } from '../store/kv.ts';

const KEY = 'last-heartbeat';

/** `why` it wasn't answered is a clause: "its address answered 404". */
export const LastHeartbeat = z.object({ why: z.string().nullable(), at: z.coerce.date().optional() });

type LastHeartbeat = z.output<typeof LastHeartbeat>;

export const lastHeartbeat = (db: Db): Promise<LastHeartbeat | null> => getValue(db, KEY, LastHeartbeat);

export const noteHeartbeat = (db: Db, why: string | null, at: Date): Promise<void> =>
  putValue(db, KEY, { Value: LastHeartbeat, value: stored({ why: why && storableText(why), at }) });
