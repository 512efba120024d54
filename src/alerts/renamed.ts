import { z } from 'zod';
import { groupBy } from '../lib/group-by.ts';
import { fingerprintOf } from '../lib/text/hash.ts';
import { boundedId, stored } from '../lib/text/shown-id.ts';
import type { MessageKind } from '../outbox/kinds.ts';
import { enqueue } from '../outbox/messages.ts';
import type { Db } from '../store/db.ts';
import { isAbout } from '../watches/covers.ts';
import type { Watch } from '../watches/settings.ts';
import { watchesIn } from '../watches/watches.ts';
import type { RenamedContent } from './content.ts';
import { forWatch, shutOutOfChannel } from './watch-end.ts';

const RENAMED = 'renamed';
export const RenamedKept = z.object({ from: z.string(), to: z.string() });

/** An environment has another name, which the channel's watches follow. */
export const renamedKind: MessageKind<RenamedContent> = {
  Kept: RenamedKept,
  mustArrive: true,
  async draw(db, message) {
    return forWatch(db, message.owner, async ({ channel }) => {
      const { id } = message;
      const { from, to: environment } = RenamedKept.parse(message.content);
      const watches = (await watchesIn(db, channel)).filter(({ settings: { filter } }) => {
        return filter.environments.length > 0 && isAbout(filter, environment);
      });
      const knownBy = fingerprintOf(RENAMED, from, environment);
      const content = { kind: RENAMED, id, channel, environment, from, watches } as const;
      return { is: 'drawn', content, said: [], knownBy, nextAt: null };
    });
  },
  shutOut: shutOutOfChannel,
};

/** Tells each channel once. */
export async function tellRenamed(
  tx: Db,
  renamed: readonly Watch[],
  { from, to }: z.output<typeof RenamedKept>,
  now: Date,
): Promise<void> {
  for (const [channel, [watch]] of groupBy(renamed, (each) => each.channel)) {
    const content = stored({ from: boundedId(from), to: boundedId(to) });
    if (watch === undefined) continue;
    await enqueue(tx, { kind: RENAMED, owner: watch.id, channel, environment: to, content, createdAt: now });
  }
}
