import type { ModalView } from '@slack/types';
import { WebClient } from '@slack/web-api';
import { beforeEach, describe, expect, test } from 'vitest';
import { modalAt } from './modal.ts';

const VIEW: ModalView = { type: 'modal', title: { type: 'plain_text', text: 'A form' }, blocks: [] };

describe('a modal', () => {
  let sent: unknown[];
  let answers: string[];
  beforeEach(() => {
    sent = [];
    answers = [];
  });

  /** Slack, which gives each view it shows a new hash, or the next error. */
  function modalOf(drawn?: { readonly hash: string; readonly isLatest: boolean }) {
    const client = new WebClient('xoxb-0', {
      retryConfig: { retries: 0 },
      fetch: async (_url, init) => {
        sent.push(new URLSearchParams(String(init?.body)).get('hash'));
        const error = answers.shift();
        return Response.json(
          error === undefined ? { ok: true, view: { hash: `h${sent.length}` } } : { ok: false, error },
        );
      },
    });
    return modalAt('V1', client, drawn && { hash: drawn.hash, isLatest: () => drawn.isLatest });
  }

  test('is updated only in the view in which the interaction happened, and then in its own', async () => {
    const modal = modalOf({ hash: 'h0', isLatest: true });
    expect([await modal.update(VIEW), await modal.update(VIEW)]).toEqual(['shown', 'shown']);
    expect(sent).toEqual(['h0', 'h1']);
  });

  test('keeps what a later interaction shows', async () => {
    answers = ['hash_conflict'];
    expect(await modalOf({ hash: 'h0', isLatest: false }).update(VIEW)).toBe('shown');
    expect(sent).toEqual(['h0']);
  });

  test('shows what the latest interaction shows, whatever an earlier one showed meanwhile', async () => {
    answers = ['hash_conflict'];
    expect(await modalOf({ hash: 'h0', isLatest: true }).update(VIEW)).toBe('shown');
    expect(sent).toEqual(['h0', null]);
  });

  test('is reported as closed, without an error', async () => {
    answers = ['not_found'];
    expect(await modalOf({ hash: 'h0', isLatest: true }).update(VIEW)).toBe('closed');
  });

  test('rejects with other errors of Slack', async () => {
    answers = ['internal_error'];
    await expect(modalOf().update(VIEW)).rejects.toThrow('internal_error');
  });
});
