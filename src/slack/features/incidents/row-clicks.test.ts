import { expect, test, vi } from 'vitest';
import { StoreTroubleError } from '../../../lib/errors.ts';
import { silent } from '../../../lib/logger.testing.ts';
import { dbAnswering } from '../../../store/store.testing.ts';
import type { MessageContent } from '../../kit/message.ts';
import { CTX, wordsOf } from '../../slack.testing.ts';
import { rowRoutes } from './row-clicks.ts';

/** Submits a verb's form while the database is away. */
async function submit(act: string, typed: string): Promise<string> {
  const db = dbAnswering(() => Promise.reject(new StoreTroubleError('not-answering')));
  const accessControl = { canUse: async () => false };
  const ctx = { ...CTX, db, accessControl, logger: silent, newReference: () => '7F3K2' };
  const routes = rowRoutes(Object.assign(Object.create(null), ctx));
  const privateMetadata = JSON.stringify({ act, incidentId: 17, messageId: null, answerAt: null, channel: null });
  const form = { privateMetadata, blockIds: [], valueIn: () => typed, valuesIn: () => [typed], initialIn: () => null };
  const route = routes.find(({ id }) => id === 'incident.form');
  const submitted = route?.surface === 'view' ? route.take(form) : null;
  if (submitted?.is !== 'accepted') throw new Error('the form is accepted');
  const show = vi.fn(async (_content: MessageContent) => {});
  const reply = { ...Object.create(null), show };
  await submitted.answer({ userId: 'U0ANN', channelId: null, reply, modal: Object.create(null) });
  return show.mock.calls.map(([content]) => wordsOf(content)).join();
}

test("shows a note's words to who typed them if the note couldn't be added", async () => {
  const words = await submit(
    'noted',
    'key rotated, was SG.aaaaaaaaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',
  );
  expect(words).toMatch(/^⚠️ Notif's database isn't responding\.[\s\S]*“key rotated, was (?!.*SG\.aaa)/);
});

test('assigns nobody who could not act on the incident', async () => {
  await expect(submit('assigned', 'U0GUS')).rejects.toThrow('Only members with an active account can be assigned.');
});
