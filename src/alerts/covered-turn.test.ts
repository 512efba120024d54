import { expect, test } from 'vitest';
import { at } from '../store/examples.testing.ts';
import { EVERYTHING } from '../watches/settings.ts';
import { AWAY, describeNight, type Night } from './night.testing.ts';

/** What lines say of an end and of what was found later, with the failures that they count. */
const counted = (night: Night) =>
  night.channel.posted.flatMap((content) =>
    content.kind === 'line'
      ? content.turns.flatMap(({ event, incident }) => {
          const change = event.is === 'entry' ? event.entry.change : null;
          if (change?.action === 'found-later') return [`+${change.failures}: ${change.of}`];
          return change?.action === 'ended' || change?.action === 'resolved' ? [`${incident.failures}`] : [];
        })
      : [],
  );

describeNight('A line about an end', (night) => {
  test.each(['by itself', 'by a person'])(
    'counts what the watch covers, as what is found later does: %s',
    async (how) => {
      await night.watch({ filter: { ...EVERYTHING, workflows: ['order-shipped'] } });
      await night.poll(...night.many(2), ...night.many(3, { workflow: 'welcome', from: 10 }));
      if (how === 'by a person') await night.does(1, { what: 'resolved' });
      else {
        night.minutes = 2;
        await night.succeed(400, { workflow: 'welcome' });
        await night.recover();
      }
      night.minutes += 1;
      const late = { occurredAt: at(0), eventCreatedAt: at(0) };
      await night.poll(
        ...night.many(1, { ...late, from: 20 }),
        ...night.many(4, { ...late, workflow: 'welcome', from: 30 }),
      );
      await night.wait(1);
      expect(counted(night)).toEqual(['2', '+1: 3']);
      night.minutes += 1;
      await night.poll(...night.many(4, { ...late, workflow: 'welcome', from: 40 }));
      await night.wait(1);
      expect(counted(night)).toEqual(['2', '+1: 3']);
    },
  );

  test('counts what was known then, though it is posted after more was found', async () => {
    await night.watch();
    await night.poll(...night.many(2));
    night.channel.answerPosts = ({ kind }) => (kind === 'line' ? AWAY : null);
    await night.does(1, { what: 'resolved' });
    night.minutes += 1;
    await night.poll(...night.many(3, { occurredAt: at(0), eventCreatedAt: at(0), from: 10 }));
    night.channel.answerPosts = () => null;
    await night.wait(2);
    expect(counted(night)).toEqual(['2', '+3: 5']);
  });
});

describeNight('The thread of a watch', (night) => {
  test.each([
    { critical: 'welcome', lines: [] },
    { critical: 'order-shipped', lines: ['critical'] },
  ])('says that it got critical only if that is what it covers: $critical', async ({ critical: workflow, lines }) => {
    await night.watch({ filter: { ...EVERYTHING, workflows: ['order-shipped'] } });
    await night.poll(...night.many(2));
    night.minutes = 1;
    await night.poll(night.refused(9), night.refused(10, { critical: true, workflow }));
    expect(night.lines()).toEqual(lines);
  });
});
