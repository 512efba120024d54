import type { ModalView } from '@slack/types';
import { describe, expect, test } from 'vitest';
import { InputError, ServiceError } from '../../lib/errors.ts';
import type { MessageContent } from '../kit/blocks.ts';
import { wordsOf } from '../slack.testing.ts';
import { redraw } from './in-modal.ts';
import type { FilledModal } from './interaction.ts';

const VIEW: ModalView = { type: 'modal', title: { type: 'plain_text', text: 'A form' }, blocks: [] };

function modalThat(update: FilledModal['update']): FilledModal {
  return {
    id: 'V1',
    callbackId: 'a-form',
    privateMetadata: '',
    blockIds: [],
    initialIn: () => null,
    carried: (next) => next,
    valueIn: () => null,
    valuesIn: () => [],
    update,
  };
}

function logTo(lines: object[]) {
  const warn = (fields: object, text: string) => void lines.push({ ...fields, text });
  return { logger: { debug() {}, info() {}, warn, error() {} }, newReference: () => '7F3K2' };
}

function waitingPerson() {
  const above: string[] = [];
  const nothing = async () => {};
  const endWait = async (content: MessageContent) => void above.push(wordsOf(content));
  return { above, reply: { show: nothing, replace: nothing, stillWorking: nothing, endWait, share: null } };
}

describe('redrawing a form', () => {
  test('says that it is done above the form to a person who waits there', async () => {
    const { above, reply } = waitingPerson();
    await redraw(logTo([]), { modal: modalThat(async () => 'shown'), reply }, () => VIEW);
    expect(above).toEqual(['✅ The form is up to date.\nClose this to continue.']);
  });

  test('keeps the form when Slack fails, logs the error under a reference, and says so to a person who waits', async () => {
    const [lines, failure] = [[] as object[], new Error('internal_error')];
    const { above, reply } = waitingPerson();
    const modal = modalThat(async () => {
      throw failure;
    });
    await redraw(logTo(lines), { modal, reply }, () => VIEW);
    expect(lines).toEqual([
      { reference: '7F3K2', err: failure, text: 'a form could not be drawn again and stays as it is' },
    ]);
    expect(above).toEqual([
      "⚠️ The form couldn't be updated.\nIt keeps what you filled in. Close this, and choose again.\nReference 7F3K2",
    ]);
  });

  test.each([
    ['the person can fix', new InputError('event', 'The service no longer has this event.')],
    ['comes from the service', new ServiceError('production', 'event', { kind: 'timed-out', afterMs: 8_000 })],
  ])('rejects with an error that %s, which is shown above the form', async (_, error) => {
    const { reply } = waitingPerson();
    const draw = () => Promise.reject(error);
    await expect(redraw(logTo([]), { modal: modalThat(async () => 'shown'), reply }, draw)).rejects.toBe(error);
  });
});
