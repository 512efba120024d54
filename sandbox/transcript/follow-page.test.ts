import { expect, test } from 'vitest';
import { serve, startSlack } from '../slack/testing.ts';
import { followPage, PageRefusedError } from './follow.ts';

test('followPage yields what a person sees of a workspace, now and after each change', async () => {
  const slack = await startSlack();
  const seen = followPage(slack.url, 'U0ANN');
  const textsOf = async () => {
    const { value } = await seen.next();
    const general = value?.conversations.find(({ name }: { readonly name: string }) => name === 'general');
    return general?.messages.map(({ text }: { readonly text: string }) => text);
  };
  expect(await textsOf()).toEqual([]);
  await slack.workspace.as('U0BEN').says('C0GENERAL', 'a “word” — and more');
  expect(await textsOf()).toEqual(['a “word” — and more']);
  await seen.return(undefined);
  await slack.close();
});

test('followPage ends with a TypeError if nothing answers', async () => {
  await expect(followPage('http://127.0.0.1:9', 'U0ANN').next()).rejects.toThrow(TypeError);
});

test('followPage says that nobody has an ID', async () => {
  const slack = await startSlack();
  await expect(followPage(slack.url, 'U0CARL').next()).rejects.toThrow(
    new PageRefusedError('Nobody has the ID U0CARL.'),
  );
  await slack.close();
});

test('followPage says that another server is no sandbox', async () => {
  const { origin, stop } = await serve((_, response) => response.writeHead(404).end('<p>not found</p>'));
  await expect(followPage(origin, 'U0ANN').next()).rejects.toThrow('No sandbox answers at 127.0.0.1:');
  stop();
});
