import type { ModalView } from '@slack/types';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../domain/errors.ts';
import type { FilledModal } from './interaction.ts';
import { redraw } from './redraw.ts';

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

describe('redrawing a form', () => {
  test('keeps the form when Slack fails, and logs the error under a reference', async () => {
    const [lines, failure] = [[] as object[], new Error('internal_error')];
    const modal = modalThat(async () => {
      throw failure;
    });
    await redraw({ modal }, () => VIEW, logTo(lines));
    expect(lines).toEqual([
      { reference: '7F3K2', err: failure, text: 'a form could not be drawn again and stays as it is' },
    ]);
  });

  test('rejects with an error that the person can fix, which is shown above the form', async () => {
    const modal = modalThat(async () => 'shown');
    const draw = () => {
      throw new InputError('event', 'The service no longer has this event.');
    };
    await expect(redraw({ modal }, draw, logTo([]))).rejects.toBeInstanceOf(InputError);
  });
});
