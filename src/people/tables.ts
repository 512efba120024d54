import { pgTable, text } from 'drizzle-orm/pg-core';
import { knownText } from '../store/columns.ts';

/** The other IDs of people who have several. */
export const personIds = pgTable('person_ids', {
  id: text().primaryKey(),
  person: knownText(),
});
