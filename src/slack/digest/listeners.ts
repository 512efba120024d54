import { type Environment, labelled } from '../../domain/environment.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { actionDoor, type Door, doorsFor } from '../interactions/route.ts';
import { SHOW_GROUPS } from './message.ts';
import { announcedPage, type DigestPage, ROWS_A_PAGE, readDigestPage, TURN_BACK, TURN_ON } from './page-message.ts';
import type { DigestPages } from './pages.ts';

export interface DigestParts {
  readonly environments: readonly Environment[];
  readonly store: DigestPages;
  readonly now: () => Date;
}

/** The buttons of a digest, each answered to whoever clicked, and those of the pages behind them. */
export function digestDoors(parts: DigestParts): Door[] {
  return doorsFor('everyone', [
    actionDoor(SHOW_GROUPS, readDigestPage, async (page, { reply }) => reply.show(await messageOf(page, parts))),
    actionDoor(TURN_BACK, readDigestPage, async (page, { reply }) => reply.replace(await messageOf(page, parts))),
    actionDoor(TURN_ON, readDigestPage, async (page, { reply }) => reply.replace(await messageOf(page, parts))),
  ]);
}

async function messageOf(page: DigestPage, { store, environments, now }: DigestParts): Promise<MessageContent> {
  const environmentOf = (name: string) => labelled(name, environments);
  const { digestId, offset } = page;
  return announcedPage(page, await store.digestRows(digestId, { offset, limit: ROWS_A_PAGE }, now()), environmentOf);
}
