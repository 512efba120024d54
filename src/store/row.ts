import { z } from 'zod';

/** PostgreSQL's bigint, which the server's driver hands out as text and the embedded one as a number. */
export const Count = z.coerce.number().int();

export const CountRow = z.object({ count: Count });
