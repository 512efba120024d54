import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { explainCause } from '../causes/explain-cause.ts';
import { explainAgain } from '../incidents/mask-causes.ts';
import { incidents, wordings } from '../incidents/tables.ts';
import { causeOf } from '../judging/cause.ts';
import { silent } from '../lib/logger.testing.ts';
import { FreeText } from '../lib/text/scrub.ts';
import { triggers } from '../sendings/tables.ts';
import type { Db } from '../store/db.ts';
import { at, failure, NOON, openedEnvironment, recordFailures } from '../store/examples.testing.ts';
import { maskStoredTexts } from '../store/masked-texts.ts';
import { describeStore } from '../store/store.testing.ts';
import { createMasking } from './masking.ts';

const SAID = 'Contact Zedekiah Quillfeather has unsubscribed';

/** As a version that masked contacts alone stored them. */
const told = (eventKey: string, text: string, key = text.toLowerCase()) => failure({ eventKey, cause: { text, key } });

describeStore('What a version before has stored', (store) => {
  const mask = () => createMasking({ db: store().db, logger: silent, now: () => NOON })(signal);
  const { signal } = new AbortController();
  const stored = async (db: Db) =>
    JSON.stringify(await Promise.all([incidents, wordings, triggers].map((table) => db.select().from(table))));

  test('is masked before a poll, so that a failure with the same cause joins its incident', async () => {
    await openedEnvironment(store());
    await recordFailures(store(), at(1), [told('e1', `${SAID} (21610)`, `${SAID.toLowerCase()} (21610)`)]);
    await explainAgain(store().db, explainCause, at(1));
    const raw = new FreeText(JSON.stringify({ code: 21610, message: SAID }));
    const cause = causeOf({ detail: new FreeText('Unexpected provider error'), raw });
    await recordFailures(store(), at(2), [failure({ eventKey: 'e2', cause })]);
    expect(await store().db.select().from(incidents)).toMatchObject([
      { causeText: 'Contact ••• has unsubscribed (21610)' },
    ]);
    expect(await store().db.select().from(wordings)).toHaveLength(1);
  });

  test('is masked in the background, and what says nothing of anybody stays as it is', async () => {
    await openedEnvironment(store());
    const texts = [SAID, 'Mailbox full', '550 5.1.1 User unknown'];
    await recordFailures(
      store(),
      at(1),
      texts.map((text, index) => told(`e${index}`, text)),
    );
    await store().db.write(sql`
      INSERT INTO triggers (id, environment, workflow, recipients, claimed_at, why)
      VALUES ('t', 'production', 'w', '[]', ${NOON}, ${`Email: ${SAID}`})`);
    const before = await store().db.select().from(incidents).orderBy(incidents.id);
    await mask();
    const after = await store().db.select().from(incidents).orderBy(incidents.id);
    expect(after.slice(1)).toEqual(before.slice(1));
    expect(await stored(store().db)).not.toMatch(/Zedekiah|Quillfeather/i);
    expect(await maskStoredTexts(store().db, [], () => false)).toBe(true);
  });

  test('goes on where it was cut off', async () => {
    // Each piece ends at the next lower number, from 3 down to 1.
    const ids: (string | null)[] = [];
    const maskBelow = async (_: Db, id: string | null) => {
      ids.push(id);
      return id === '1' ? null : `${Number(id ?? 4) - 1}`;
    };
    const texts = [{ name: 'numbers', maskBelow }];
    expect(await maskStoredTexts(store().db, texts, () => ids.length === 2)).toBe(false);
    expect(await maskStoredTexts(store().db, texts, () => false)).toBe(true);
    expect(await maskStoredTexts(store().db, texts, () => false)).toBe(true);
    expect(ids).toEqual([null, '3', '2', '1']);
  });
});
