import { expect, it } from 'vitest';
import { startSlack } from '../slack/testing.ts';
import { followPage } from './follow-page.ts';

it('followPage yields what a person sees of a workspace, now and after each change', async () => {
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

it('followPage ends with a TypeError if nothing answers', async () => {
  await expect(followPage('http://127.0.0.1:9', 'U0ANN').next()).rejects.toThrow(TypeError);
});
