import { describe, expect, test } from 'vitest';
import { ActionBody, ShortcutBody } from '../payload.ts';
import { answerUrlOf, placeFrom, placeOfAction, placeOfShortcut } from './place.ts';

const RESPONSE_URL = 'https://hooks.slack.com/actions/T0/1/abc';
const PARENT = '1760000000.000100';
const REPLY = '1760000009.000200';

const clickOn = (parts: object) =>
  placeOfAction(
    ActionBody.parse({
      user: { id: 'U0ANN' },
      trigger_id: '1.2',
      channel: { id: 'C0ONCALL' },
      response_url: RESPONSE_URL,
      actions: [{ value: 'v' }],
      ...parts,
    }),
  );

describe('the place of an answer', () => {
  test.each<[what: string, parts: object, threadTs: string | null]>([
    ['a message in a thread', { message: { ts: REPLY, thread_ts: PARENT } }, PARENT],
    ['an ephemeral message in a thread', { container: { message_ts: REPLY, thread_ts: PARENT } }, PARENT],
    ['a message at the root', { message: { ts: PARENT }, container: { message_ts: PARENT } }, null],
    ['a message at the root with a thread below it', { message: { ts: PARENT, thread_ts: PARENT } }, null],
  ])('is %s for a click there', (_, parts, threadTs) => {
    expect(clickOn(parts)).toMatchObject({ is: 'response', kind: 'button', channelId: 'C0ONCALL', threadTs });
  });

  test('for a shortcut on a message in a thread is that thread', () => {
    const body = ShortcutBody.parse({
      user: { id: 'U0ANN' },
      trigger_id: '1.2',
      channel: { id: 'C0ONCALL' },
      response_url: RESPONSE_URL,
      message: { ts: REPLY, thread_ts: PARENT, text: 'x' },
    });
    expect(placeOfShortcut(body)).toMatchObject({ is: 'response', kind: 'aside', threadTs: PARENT });
  });

  test('is kept by a form, including its thread', () => {
    const place = clickOn({ message: { ts: REPLY, thread_ts: PARENT } });
    expect(placeFrom(answerUrlOf(place) ?? '', 'U0ANN')).toEqual({
      ...{ is: 'asked', kind: 'aside', responseUrl: RESPONSE_URL },
      ...{ userId: 'U0ANN', channelId: null, threadTs: PARENT },
    });
    expect(answerUrlOf(clickOn({}))).toBe(RESPONSE_URL);
  });
});
