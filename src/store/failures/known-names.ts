import { z } from 'zod';
import { type KnownNames, MOST_KNOWN_NAMES } from '../../domain/failures/unseen-names.ts';
import type { NamesSeenStore } from '../../use-cases/lookups/names-asked-for.ts';
import type { Database } from '../database/database.ts';
import type { NotedName } from './failure-names.ts';
import { spelledNames } from './filter-conditions.ts';

export interface KnownNamesStore extends NamesSeenStore {
  knownNames(): Promise<KnownNames>;
}

const Names = z.array(z.string());
const NamesRow = z.object({
  workflows: Names,
  channels: Names,
  providers: Names,
  severities: Names,
  topics: Names,
  contexts: Names,
  tags: Names,
});

export function knownNames(database: Database): KnownNamesStore {
  return {
    knownNames: async () => {
      const [names] = await database.rows(NamesRow, KNOWN_NAMES);
      if (names === undefined) throw new Error('the known names were not read');
      return names;
    },
    namesSeen: (environment, of) => spelledNames(database, environment, of),
  };
}

const noted = (kind: NotedName) => `SELECT name FROM failure_names WHERE kind = '${kind}'`;

const ALL: Readonly<Record<keyof KnownNames, string>> = {
  workflows: 'SELECT identifier AS name FROM workflows UNION SELECT name FROM workflows',
  channels: 'SELECT channel AS name FROM groups',
  providers: 'SELECT provider AS name FROM groups',
  severities: noted('severities'),
  topics: noted('topics'),
  contexts: noted('contexts'),
  tags: noted('tags'),
};

const KNOWN_NAMES = `SELECT ${Object.entries(ALL)
  .map(
    ([kind, names]) =>
      `ARRAY(SELECT DISTINCT name FROM (${names}) seen WHERE name IS NOT NULL LIMIT ${MOST_KNOWN_NAMES}) AS ${kind}`,
  )
  .join(', ')}`;
