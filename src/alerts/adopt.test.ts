import { eq, inArray } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { outbreaks } from '../incidents/tables.ts';
import { slackMessages } from '../outbox/tables.ts';
import { at } from '../store/examples.testing.ts';
import { describeNight } from './night.testing.ts';
import { watchAlerts } from './tables.ts';

describeNight('After the database lost its newest rows', (night, store) => {
  async function loseLast(): Promise<void> {
    const digests = night.digests();
    const last = digests.at(-1);
    if (last === undefined) throw new Error('nothing was posted');
    night.channel.stands = night.channel.sent.slice(-1).map((sent) => ({ ...sent, postedAt: night.now() }));
    await store()
      .db.delete(slackMessages)
      .where(inArray(slackMessages.id, [last.id]));
    await store()
      .db.delete(watchAlerts)
      .where(inArray(watchAlerts.messageId, [last.id]));
  }

  test('what stands in a channel is known again, and edited instead of posted', async () => {
    await night.watch();
    await night.poll(night.refused(0));
    night.minutes = 1;
    await night.poll(night.refused(1, { provider: 'ses' }));
    await loseLast();
    night.minutes = 3;
    await night.poll(night.refused(2, { provider: 'ses' }));
    await night.wait(2);
    expect(night.alerts()).toEqual([['new #1 1'], ['new #2 1']]);
    const edited = night.channel.edited.findLast(({ ts }) => ts === '2.0')?.content;
    expect(edited).toMatchObject({ rows: [{ incident: { failures: 2 } }] });
  });

  test('what is recorded again only later counts as told by it, too', async () => {
    await night.watch();
    await night.poll(night.refused(0), night.refused(0, { provider: 'ses' }));
    await loseLast();
    const { db } = store();
    await db.write(`DELETE FROM failures WHERE incident_id = 2`);
    await db.write(`DELETE FROM incidents WHERE id = 2`);
    night.minutes = 1;
    await night.poll(night.refused(1, { provider: 'mailgun' }));
    night.minutes = 2;
    await night.poll(night.refused(0, { provider: 'ses' }));
    await night.wait(2);
    expect(night.alerts()).toEqual([['new #1 1', 'new #2 1'], ['new #3 1']]);
    const edited = night.channel.edited.findLast(({ ts }) => ts === '1.0')?.content;
    expect(edited).toMatchObject({ rows: [{ incident: { id: 4 } }, { incident: { id: 1 } }] });
  });

  test('what is recorded again from a later failure on began when people read that it did', async () => {
    await night.watch();
    await night.poll(night.refused(0));
    await loseLast();
    await store().db.write(`DELETE FROM incidents WHERE id = 1`);
    night.minutes = 10;
    await night.poll(night.refused(10));
    await night.wait(2);
    expect(night.alerts()).toEqual([['new #1 1']]);
    const edited = night.channel.edited.findLast(({ ts }) => ts === '1.0')?.content;
    expect(edited).toMatchObject({ rows: [{ incident: { id: 2, beganAt: at(0) } }] });
  });

  test('an outbreak that the store still knows to be told keeps its beginning, whatever is told of a lost one', async () => {
    await night.watch();
    await night.poll(night.refused(0));
    night.channel.stands = night.channel.sent.map((sent) => ({
      ...sent,
      id: 'd0000000-0000-4000-8000-000000000000',
      ts: '9.0',
      postedAt: at(20),
      knownBy: sent.knownBy.replace(at(0).toISOString(), at(20).toISOString()),
    }));
    night.restart();
    night.minutes = 21;
    await night.poll(night.refused(21, { provider: 'ses' }));
    const [first] = await store().db.select().from(outbreaks).where(eq(outbreaks.incidentId, 1));
    expect(night.channel.edited.map(({ ts }) => ts)).toContain('9.0');
    expect(first?.beganAt).toEqual(at(0));
  });

  test('a message that stands in a channel is known again though it names an incident twice, by what is now one cause', async () => {
    await night.watch();
    await night.poll(night.refused(0));
    night.channel.stands = night.channel.sent.map((sent) => {
      const { incidents, ...others } = JSON.parse(sent.knownBy);
      const knownBy = JSON.stringify({ ...others, incidents: [...incidents, ...incidents] });
      return { ...sent, id: 'd0000000-0000-4000-8000-000000000000', ts: '9.0', postedAt: at(1), knownBy };
    });
    night.restart();
    night.minutes = 2;
    await night.poll(night.refused(2, { provider: 'ses' }));
    expect(night.channel.edited.map(({ ts }) => ts)).toContain('9.0');
  });

  test('numbers go on above those that people have seen', async () => {
    await night.watch();
    await night.poll(night.refused(0));
    night.minutes = 1;
    await night.poll(night.refused(1, { provider: 'ses' }));
    await loseLast();
    await store().db.write(`DELETE FROM incidents WHERE id = 2`);
    await store().db.write(`SELECT setval('incidents_id_seq', 1)`);
    night.minutes = 2;
    await night.poll(night.refused(2, { provider: 'mailgun' }));
    night.minutes = 3;
    await night.poll(night.refused(3, { provider: 'postmark', occurredAt: at(3) }));
    expect(night.alerts().slice(2)).toEqual([['new #2 1'], ['new #3 1']]);
  });
});
