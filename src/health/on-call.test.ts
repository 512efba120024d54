import { expect, test } from 'vitest';
import { describeNight } from '../alerts/night.testing.ts';
import { heard, silent } from '../lib/logger.testing.ts';
import { isAbout } from '../watches/covers.ts';
import { EVERYTHING } from '../watches/settings.ts';
import { onCallNow } from './on-call.ts';

describeNight('Who is on call', (night, store) => {
  test('is left out while the database can’t be asked, so that the status answers', async () => {
    const { log, logger } = heard();
    const db = new Proxy(store().db, {
      get: () => {
        throw new Error('the database is away');
      },
    });
    const membersOf = async () => ({ members: [], asOf: night.now() });
    expect(await onCallNow({ db, logger, workspace: { membersOf } }, () => true)).toEqual([]);
    expect(log).toMatchObject([{ level: 'warn' }]);
  });

  test('is whom the watches of an environment mention, by the members of the group now', async () => {
    const oncall = { kind: 'user-group', id: 'S0ONCALL' } as const;
    await night.watch({ mention: oncall });
    await night.watch({ mention: oncall }, 'C0OTHER');
    await night.watch({ mention: { kind: 'user-group', id: 'S0LOST' } }, 'C0THIRD');
    await night.watch({ mention: { kind: 'person', id: 'U0BEN' } }, 'C0BEN');
    // Whom a group has already is named in it only.
    await night.watch({ mention: { kind: 'person', id: 'U0ANN' } }, 'C0ANN');
    const staging = { ...EVERYTHING, environments: ['staging'] };
    await night.watch({ filter: staging, mention: { kind: 'person', id: 'U0EVE' } }, 'C0EVE');
    const membersOf = async (group: string) => {
      if (group === 'S0LOST') throw new Error('ratelimited');
      return { members: ['U0ANN'], asOf: night.now() };
    };
    const ctx = { db: store().db, logger: silent, workspace: { membersOf } };
    const onCall = await onCallNow(ctx, (filter) => isAbout(filter, 'production'));
    expect(Object.fromEntries(onCall.map(({ mention, members }) => [mention.id, members]))).toEqual({
      S0ONCALL: ['U0ANN'],
      S0LOST: null,
      U0BEN: ['U0BEN'],
    });
  });
});
