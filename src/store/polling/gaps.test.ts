import { describe, expect, test } from 'vitest';
import { FencedOffError } from '../../domain/errors.ts';
import { ALL_TIME, at, checkedTo, failure, reading, stretch, takeCursor, trackedEvent } from '../examples.testing.ts';
import { describeStore } from '../store.testing.ts';

describeStore('a gap', (store) => {
  const gaps = () => store().polling.gapsIn('production', ALL_TIME);
  const due = (minute: number) => store().polling.dueParts('production', at(minute), 10);

  describe('that was set aside', () => {
    test('is open, with its unchecked parts', async () => {
      await checkedTo(store(), at(60), stretch(at(10), at(30)));
      expect(await gaps()).toEqual([
        {
          id: expect.any(String),
          environment: 'production',
          from: at(10),
          to: at(30),
          cause: 'unreachable',
          openedAt: at(60),
          closedAt: null,
          unchecked: [{ from: at(10), to: at(30) }],
          givenUp: [],
          events: 0,
          failures: 0,
        },
      ]);
      expect(await store().polling.gapsIn('production', { from: at(31), to: at(40) })).toEqual([]);
      expect(await store().polling.gapsIn('staging', ALL_TIME)).toEqual([]);
    });

    test('is of its environment alone, beside one of another at the same time', async () => {
      await checkedTo(store(), at(60), stretch(at(10), at(30)));
      const staging = await store().polling.takeCursor('staging', at(-60));
      const setAside = [stretch(at(20), at(40))];
      const present = { to: at(60), setAside, clockAheadMs: null, newestEventAt: null };
      await store().polling.finishPresent(staging, present, at(60));
      expect(await gaps()).toMatchObject([{ from: at(10), to: at(30), closedAt: null }]);
      expect(await store().polling.gapsIn('staging', ALL_TIME)).toMatchObject([{ from: at(20), to: at(40) }]);
      await store().polling.noteTrouble(staging, { kind: 'unreachable' }, at(61));
      await store().polling.noteTrouble(staging, { kind: 'unreachable' }, at(90));
      await checkedTo(store(), at(91));
      expect(await store().polling.gapsIn('staging', { from: at(60), to: at(99) })).toMatchObject([{ to: null }]);
      const cursor = await takeCursor(store());
      await store().polling.noteTrouble(cursor, { kind: 'unreachable' }, at(92));
      await store().polling.noteTrouble(cursor, { kind: 'unreachable' }, at(120));
      expect(await store().polling.gapsIn('production', { from: at(60), to: at(120) })).toMatchObject([{ to: null }]);
    });

    test('is extended by a range that follows soon, while a later range starts another gap', async () => {
      await checkedTo(store(), at(60), stretch(at(10), at(30)));
      await checkedTo(store(), at(61), stretch(at(40), at(50)));
      await checkedTo(store(), at(90), stretch(at(70), at(80)));
      expect(await gaps()).toMatchObject([
        {
          from: at(10),
          to: at(50),
          unchecked: [
            { from: at(10), to: at(30) },
            { from: at(40), to: at(50) },
          ],
        },
        { from: at(70), to: at(80) },
      ]);
    });

    test('is known to a poll that reads across it', async () => {
      await checkedTo(store(), at(60), stretch(at(10), at(30)));
      expect(await store().polling.gapsWithin('production', { from: at(25), to: at(60) })).toEqual([
        { from: at(10), to: at(30) },
      ]);
      expect(await store().polling.gapsWithin('production', { from: at(35), to: at(60) })).toEqual([]);
    });
  });

  describe("of an environment that can't be read", () => {
    const refused = { kind: 'key-refused', status: 401 } as const;
    const failAt = async (...minutes: number[]) => {
      for (const minute of minutes) await store().polling.noteTrouble(await takeCursor(store()), refused, at(minute));
    };

    test('is opened after five minutes, once, without an end', async () => {
      await failAt(1, 5);
      expect(await gaps()).toEqual([]);
      await failAt(6, 7);
      expect(await gaps()).toMatchObject([
        { from: at(-60), to: null, cause: 'key-refused', openedAt: at(6), unchecked: [] },
      ]);
    });

    test('ends and is closed when the environment is read again', async () => {
      await failAt(1, 6);
      await checkedTo(store(), at(9));
      expect(await gaps()).toMatchObject([{ to: at(9), closedAt: at(9) }]);
    });

    test('ends and is read if more was missed than is read at once', async () => {
      await failAt(1, 6);
      await checkedTo(store(), at(60), stretch(at(-60), at(45)));
      expect(await gaps()).toMatchObject([{ from: at(-60), to: at(60), closedAt: null, unchecked: [{ to: at(45) }] }]);
    });
  });

  describe('being read', () => {
    const parts = [
      { window: { from: at(10), to: at(20) }, tries: 0, nextTryAt: at(60) },
      { window: { from: at(20), to: at(30) }, tries: 0, nextTryAt: at(60) },
    ];

    test('is due part by part, the newest first, from its next retry time on', async () => {
      await checkedTo(store(), at(60), stretch(at(10), at(30), { parts }));
      expect(await due(59)).toEqual([]);
      expect((await due(60)).map(({ window }) => window.from)).toEqual([at(20), at(10)]);
      expect(await store().polling.dueParts('production', at(60), 1)).toHaveLength(1);
    });

    test("keeps what couldn't be read, and closes when nothing is left to read", async () => {
      await checkedTo(store(), at(60), stretch(at(10), at(30), { parts }));
      const [newer, older] = await due(60);
      if (newer === undefined || older === undefined) throw new Error('both parts are due');
      const cursor = await takeCursor(store());
      const retry = { window: { from: at(20), to: at(21) }, tries: 1, nextTryAt: at(62) };
      await store().polling.replacePart(cursor, newer, [retry], at(60));
      await store().polling.replacePart(cursor, older, [], at(60));
      expect(await gaps()).toMatchObject([{ unchecked: [{ from: at(20), to: at(21) }], closedAt: null }]);
      const [last] = await due(62);
      if (last === undefined) throw new Error("what couldn't be read is due again");
      expect(last).toMatchObject({ tries: 1 });
      await store().polling.replacePart(cursor, last, [{ ...retry, nextTryAt: null }], at(63));
      expect(await gaps()).toMatchObject([
        { unchecked: [], givenUp: [{ from: at(20), to: at(21) }], closedAt: at(63) },
      ]);
      expect(await due(1_000)).toEqual([]);
    });

    test('keeps what a poll sets aside behind a part that is being read', async () => {
      const longer = [{ window: { from: at(10), to: at(25) }, tries: 0, nextTryAt: at(61) }];
      const failing = [{ window: { from: at(10), to: at(11) }, tries: 1, nextTryAt: at(60) }];
      await checkedTo(store(), at(60), stretch(at(10), at(11), { parts: failing }));
      const [part] = await due(60);
      if (part === undefined) throw new Error('the part is due');
      await checkedTo(store(), at(61), stretch(at(10), at(25), { parts: longer }));
      const cursor = await takeCursor(store());
      await store().polling.replacePart(cursor, part, [{ ...part, tries: 2, nextTryAt: at(70) }], at(61));
      expect(await gaps()).toMatchObject([{ unchecked: [{ from: at(10), to: at(25) }], closedAt: null }]);
      expect(await due(61)).toMatchObject([{ window: { from: at(11), to: at(25) }, tries: 0 }]);
      await store().polling.replacePart(cursor, { ...part, window: { from: at(11), to: at(25) } }, [], at(62));
      expect(await gaps()).toMatchObject([{ unchecked: [{ from: at(10), to: at(11) }] }]);
    });

    test('is due at once with what a poll adds to a part that waits', async () => {
      const waiting = [{ window: { from: at(10), to: at(11) }, tries: 9, nextTryAt: at(600) }];
      await checkedTo(store(), at(60), stretch(at(10), at(11), { parts: waiting }));
      await checkedTo(store(), at(61), stretch(at(10), at(25)));
      expect(await due(61)).toMatchObject([{ window: { from: at(10), to: at(25) }, tries: 0 }]);
    });

    test('counts what was found in it', async () => {
      await checkedTo(store(), at(60), stretch(at(10), at(30), { parts }));
      const [{ gapId } = { gapId: '' }] = await due(60);
      const page = reading({
        trackedEvents: [trackedEvent(), trackedEvent({ eventKey: 'event-2' })],
        failures: [failure()],
        gapId,
      });
      for (const minute of [61, 62]) await store().polling.record(await takeCursor(store()), page, at(minute));
      expect(await gaps()).toMatchObject([{ events: 2, failures: 1 }]);
    });

    test('is left alone by a reader that was overtaken', async () => {
      await checkedTo(store(), at(60), stretch(at(10), at(30), { parts }));
      const [part] = await due(60);
      if (part === undefined) throw new Error('a part is due');
      const overtaken = await takeCursor(store());
      await takeCursor(store());
      await expect(store().polling.replacePart(overtaken, part, [], at(60))).rejects.toThrow(FencedOffError);
      expect(await due(60)).toHaveLength(2);
    });
  });
});
