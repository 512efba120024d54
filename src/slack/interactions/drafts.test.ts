import type { ModalView } from '@slack/types';
import { describe, expect, test } from 'vitest';
import { createSeal } from '../../domain/access/seal.ts';
import { type MessageContent, section } from '../blocks/blocks.ts';
import { textInput } from '../blocks/inputs/inputs.ts';
import { mrkdwn } from '../blocks/text.ts';
import { formView } from '../blocks/view.ts';
import { expectView, wordsOf } from '../slack.testing.ts';
import { createDrafts, RESTORE } from './drafts.ts';
import { asTyped } from './route.ts';
import { textsInMemory } from './texts.testing.ts';

const MINUTE = 60_000;
const ROWS = Array.from({ length: 100 }, (_, row) => `user-${row},shop.example/${row}`).join('\n');

function world(texts = textsInMemory()) {
  let now = Date.parse('2026-11-20T12:00:00Z');
  const warnings: string[] = [];
  const logger = { debug() {}, info() {}, warn: (_: object, text: string) => void warnings.push(text), error() {} };
  const formOf = (callbackId: string) => {
    if (callbackId === 'credentials') return null;
    const restored = callbackId === 'watch' ? (draft: ModalView) => draft : asTyped;
    return { subject: (metadata: string) => (metadata === 'sending' ? null : metadata.slice(0, 1)), restored };
  };
  const drafts = createDrafts(formOf, {
    texts,
    seal: createSeal('xoxb-secret'),
    logger,
    whole: async (written) => (written === 'v1#long' ? 'a1 and so on' : written),
    now: () => new Date(now),
    sleep: (_ms, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve())),
  });
  /** What was shown above the form, oldest first. */
  const above: MessageContent[] = [];
  /** Keeps a form that was submitted, and returns when it was. */
  const keepsSubmitted = async (view: ModalView, typed: string) => {
    const at = new Date(now);
    await drafts.keep('U1', sent(view, typed), at);
    return at;
  };
  /** Clicks [Restore] in a form, and returns what it then shows. */
  const restores = async (view: ModalView, userId = 'U1') => {
    const route = drafts.routes.find((one) => one.surface === 'action' && one.id === RESTORE);
    if (route?.surface !== 'action') throw new Error('nothing can be restored');
    const value = JSON.stringify(view).match(/"value":"([^"]*)"/)?.[1] ?? '';
    const shown: ModalView[] = [];
    const modal = {
      id: 'V1',
      callbackId: 'trigger',
      privateMetadata: view.private_metadata ?? '',
      blockIds: [],
      initialIn: () => null,
      carried: (next: ModalView) => next,
      valueIn: () => null,
      valuesIn: () => [],
      update: async (next: ModalView) => {
        shown.push(next);
        return 'shown' as const;
      },
    };
    const show = async (content: MessageContent) => void above.push(content);
    const reply = { show, replace: show, stillWorking: async () => {}, share: null };
    const openModal = () => Promise.reject(new Error('no modal is opened here'));
    await route.answer({
      userId,
      channelId: null,
      threadTs: null,
      answerUrl: null,
      value,
      blockId: '',
      modal,
      reply,
      openModal,
    });
    return shown.at(-1);
  };
  const passes = (ms: number) => {
    now += ms;
  };
  return { drafts, texts, warnings, above, restores, passes, keepsSubmitted };
}

const form = (callbackId = 'trigger', privateMetadata = 'a1') =>
  formView({
    callbackId,
    title: 'Send a test',
    submit: 'Send',
    privateMetadata,
    blocks: [section(mrkdwn`Words`), textInput({ blockId: 'rows', label: 'Rows', isMultiline: true })],
  });

/** Returns a form whose field has a content from the start. */
const prefilled = (initial = 'as it is') =>
  formView({
    callbackId: 'trigger',
    title: 'Send a test',
    submit: 'Send',
    privateMetadata: 'a1',
    blocks: [textInput({ blockId: 'rows', label: 'Rows', initial })],
  });

/** Returns a view as Slack sends it, with the contents of its fields. */
const sent = (view: ModalView, typed: string) => ({
  ...view,
  id: 'V1',
  state: { values: { rows: { rows: { type: 'plain_text_input', value: typed } } } },
});

describe('a draft of a form', () => {
  test('can be restored, even with a hundred rows', async () => {
    const { drafts, restores } = world();
    await drafts.keep('U1', sent(form(), ROWS));
    const asked = await drafts.opening('U1', form());
    expectView(asked);
    expect(wordsOf(asked)).toContain("didn't send it. Restore what you typed?");
    const restored = await restores(asked);
    expectView(restored ?? {});
    expect(JSON.stringify(restored)).toContain(JSON.stringify(ROWS));
    expect(restored).toMatchObject({ callback_id: 'trigger', private_metadata: 'a1', notify_on_close: true });
  });

  test('can still be restored while something else is typed, but not by anybody else', async () => {
    const { drafts, restores } = world();
    await drafts.keep('U1', sent(form(), ROWS));
    const asked = await drafts.opening('U1', form());
    await drafts.keep('U1', sent(asked, 'something else'));
    expect(JSON.stringify(await restores(asked))).toContain('user-99');
    await expect(restores(asked, 'U2')).rejects.toThrow('an older version');
    const again = await drafts.opening('U1', form());
    expect(again.blocks).toHaveLength(form().blocks.length + 1);
    expect(JSON.stringify(await restores(again))).toContain('something else');
  });

  test("can be restored if Slack has only a reference to the form's subject", async () => {
    const { drafts, restores } = world();
    await drafts.keep('U1', sent(form('watch', 'v1#long'), ROWS));
    const restored = await restores(await drafts.opening('U1', form('watch', 'a1')));
    expect(restored).toMatchObject({ private_metadata: 'a1 and so on' });
  });

  test('is restored with the metadata of the newly opened form, unless its form keeps its own', async () => {
    const { drafts, restores } = world();
    for (const callbackId of ['trigger', 'watch']) await drafts.keep('U1', sent(form(callbackId, 'a1'), ROWS));
    const restored = async (callbackId: string) => restores(await drafts.opening('U1', form(callbackId, 'a2')));
    expect(await restored('trigger')).toMatchObject({ private_metadata: 'a2' });
    expect(await restored('watch')).toMatchObject({ private_metadata: 'a1' });
  });

  test("isn't kept of a form that is being sent, which people can close meanwhile", async () => {
    const { drafts, texts } = world();
    await drafts.keep('U1', sent(form('trigger', 'sending'), ROWS));
    expect(texts.kept.size).toBe(0);
  });

  test('survives a restart, sealed', async () => {
    const { texts, drafts } = world();
    await drafts.keep('U1', sent(form(), ROWS));
    expect(JSON.stringify([...texts.kept])).not.toContain('shop.example');
    expect(wordsOf(await world(texts).drafts.opening('U1', form()))).toContain('Restore');
  });

  test.each([
    ['of another person', 'U2', form(), 0],
    ['about something else', 'U1', form('trigger', 'b1'), 0],
    ['after ten minutes', 'U1', form(), 10 * MINUTE],
  ])("isn't offered in a form %s", async (_, userId, view, later) => {
    const { drafts, passes } = world();
    await drafts.keep('U1', sent(form(), ROWS));
    passes(later);
    expect(await drafts.opening(userId, view)).toEqual({ ...view, notify_on_close: true });
  });

  test("is said to be gone above the form once ten minutes have passed, so that the form stays as it's filled in", async () => {
    const { drafts, above, restores, passes } = world();
    await drafts.keep('U1', sent(form(), ROWS));
    const asked = await drafts.opening('U1', form());
    passes(10 * MINUTE);
    expect(await restores(asked)).toBeUndefined();
    expect(above.map(wordsOf)).toEqual([
      "⚠️ What you typed before is kept for ten minutes only, and they're over.\nThe form keeps what you typed since.",
    ]);
  });

  test("isn't offered after the form was submitted", async () => {
    const { drafts, keepsSubmitted } = world();
    const sentAt = await keepsSubmitted(form(), ROWS);
    await drafts.forget('U1', { callbackId: 'trigger', privateMetadata: 'a2' }, sentAt);
    expect(await drafts.opening('U1', form())).toEqual({ ...form(), notify_on_close: true });
  });

  test("isn't offered either if the store gets what was typed before that later", async () => {
    const { drafts, restores, passes } = world();
    const sentAt = new Date('2026-11-20T12:00:00.001Z');
    await drafts.forget('U1', { callbackId: 'trigger', privateMetadata: 'a1' }, sentAt);
    await drafts.keep('U1', sent(form(), ROWS));
    expect(await drafts.opening('U1', form())).toEqual({ ...form(), notify_on_close: true });
    passes(1);
    await drafts.keep('U1', sent(form(), ROWS));
    expect(JSON.stringify(await restores(await drafts.opening('U1', form())))).toContain('user-99');
  });

  test('can still be restored after an earlier form was submitted, however long that took', async () => {
    const { drafts, passes, restores, keepsSubmitted } = world();
    const sentAt = await keepsSubmitted(form(), 'sent before');
    passes(1);
    await drafts.keep('U1', sent(form(), ROWS));
    await drafts.forget('U1', { callbackId: 'trigger', privateMetadata: 'a1' }, sentAt);
    expect(JSON.stringify(await restores(await drafts.opening('U1', form())))).toContain('user-99');
  });

  test("isn't replaced by a form that was submitted earlier, and turns out not to be done", async () => {
    const { drafts, passes, restores } = world();
    const submittedAt = new Date('2026-11-20T12:00:00Z');
    passes(1);
    await drafts.keep('U1', sent(form(), ROWS));
    await drafts.keep('U1', sent(form(), 'sent before'), submittedAt);
    expect(JSON.stringify(await restores(await drafts.opening('U1', form())))).toContain('user-99');
  });

  test("isn't kept for credentials or an empty form", async () => {
    const { drafts, texts } = world();
    await drafts.keep('U1', sent(form('credentials'), 'secret'));
    await drafts.keep('U1', sent(form(), ''));
    await drafts.keep('U1', { type: 'home' });
    expect(texts.kept.size).toBe(0);
    expect(await drafts.opening('U1', form('credentials'))).toEqual(form('credentials'));
  });

  test("doesn't block opening or submitting a form while the store is away", async () => {
    const away = () => Promise.reject(new Error('the store is away'));
    const { drafts, warnings } = world({ ...textsInMemory(), keepText: away, keptText: away });
    await drafts.keep('U1', sent(form(), ROWS));
    expect(await drafts.opening('U1', form())).toMatchObject({ callback_id: 'trigger' });
    expect(warnings).toHaveLength(2);
  });

  test("isn't kept or replaced by a form that Notif filled in and nobody changed", async () => {
    const { drafts, texts, restores } = world();
    await drafts.keep('U1', sent(prefilled(), 'as it is'));
    expect(texts.kept.size).toBe(0);
    await drafts.keep('U1', sent(prefilled(), 'changed'));
    const asked = await drafts.opening('U1', prefilled());
    await drafts.keep('U1', sent(asked, 'as it is'));
    const again = await drafts.opening('U1', prefilled());
    expect(JSON.stringify(await restores(again))).toContain('changed');
  });

  test('is kept of a form that was restored and closed again, for ten minutes more', async () => {
    const { drafts, restores, passes } = world();
    await drafts.keep('U1', sent(form(), ROWS));
    passes(9 * MINUTE);
    const restored = await restores(await drafts.opening('U1', form()));
    passes(9 * MINUTE);
    await drafts.keep('U1', sent(restored ?? form(), ROWS));
    passes(9 * MINUTE);
    expect(JSON.stringify(await restores(await drafts.opening('U1', form())))).toContain('user-99');
  });

  test('is kept of a form that was submitted, also if nobody changed it', async () => {
    const { drafts, keepsSubmitted } = world();
    await keepsSubmitted(prefilled(), 'as it is');
    expect(wordsOf(await drafts.opening('U1', prefilled()))).toContain('Restore');
  });
});
