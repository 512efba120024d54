import { type SQL, sql } from 'drizzle-orm';

/** Somebody acknowledged, assigned, noted or resolved an incident `i`. */
export const IS_LOOKED_AT: SQL = sql`EXISTS (
  SELECT FROM audit a
  WHERE a.incident_id = i.id
    AND a.change ->> 'action' IN ('acknowledged', 'assigned', 'noted', 'resolved'))`;
