import { chromium } from 'playwright-core';
import { expect } from 'vitest';
import { shared } from '../../src/store/store.testing.ts';
import { openWorld, type World } from '../support/world.ts';
import { openScreen, type Screen } from './screen.ts';

/** A world with the page, which two people have open. */
export interface Onlookers {
  world: World;
  /** An operator. */
  ann: Screen;
  ben: Screen;
  /** Fails if the page threw an error, or is wider than a phone in its current state. */
  findNothingWrong(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the page for two people, both in this conversation. */
export async function openOnlookers(conversation: string): Promise<Onlookers> {
  const browser = await chromium.connect(await shared('/browser'));
  const world = await openWorld({ pageFiles: await shared('/page') });
  const opening = { browser, url: world.slack.url, in: conversation };
  const [ann, ben] = await Promise.all([
    openScreen({ ...opening, as: 'U0ANN' }),
    openScreen({ ...opening, as: 'U0BEN' }),
  ]);
  return {
    world,
    ann,
    ben,
    findNothingWrong: async () => {
      for (const { complaints } of [ann, ben]) expect(complaints).toEqual([]);
      expect(await ann.tooWideForATelephone()).toEqual([]);
    },
    close: async () => {
      await browser.close();
      await world.close();
    },
  };
}
