import { addMilliseconds, subMilliseconds } from 'date-fns';
import { z } from 'zod';
import {
  type ChangeBefore,
  changedBefore,
  type Explained,
  MAY_EXPLAIN_MS,
  NOTICED_AFTER_MS,
} from '../../domain/changes/changed-before.ts';
import { ChangeColumns, changeOf } from '../changes/environment-changes.ts';
import { jsonOf, type SqlRows } from '../database/database.ts';

export interface ExplainedEpisode extends Explained {
  readonly episodeId: number;
  readonly environment: string;
}

const Found = ChangeColumns.extend({ index: z.number() });

export async function changesBefore(
  sql: SqlRows,
  episodes: readonly ExplainedEpisode[],
): Promise<ReadonlyMap<number, ChangeBefore>> {
  const asked = episodes.map(({ environment, firstFailureAt: first }, index) => ({
    ...{ index, environment },
    from: subMilliseconds(first, MAY_EXPLAIN_MS),
    to: addMilliseconds(first, NOTICED_AFTER_MS),
  }));
  const found = await sql.rows(Found, AROUND, [jsonOf(asked)]);
  return new Map(
    episodes.flatMap((episode, index) => {
      const around = found.filter((one) => one.index === index).map(changeOf);
      const change = changedBefore(around, episode);
      return change === null ? [] : [[episode.episodeId, change]];
    }),
  );
}

const AROUND = `
  SELECT asked.index, c.*
  FROM jsonb_to_recordset($1::jsonb) AS asked (index integer, environment text, "from" timestamptz, "to" timestamptz)
  JOIN changes c ON c.environment = asked.environment AND c.at BETWEEN asked."from" AND asked."to"`;
