import { type Environment, labelled } from '../../domain/environment.ts';
import { actionDoor, type Door } from '../doors/door.ts';
import { LIST_COUNTED, SHOW_GROUPS } from './message.ts';
import { type DigestPage, digestPageMessage, ROWS_A_PAGE, readDigestPage, TURN_BACK, TURN_ON } from './page-message.ts';
import type { DigestPages } from './pages.ts';

export interface DigestParts {
  readonly environments: readonly Environment[];
  readonly store: DigestPages;
}

/** The buttons of a digest, each answered to whoever clicked, and those of the pages behind them. */
export function digestDoors(parts: DigestParts): Door[] {
  return [
    actionDoor(SHOW_GROUPS, readDigestPage, async (page, { reply }) => reply.show(await messageOf(page, parts))),
    actionDoor(LIST_COUNTED, readDigestPage, async (page, { reply }) => reply.show(await messageOf(page, parts))),
    actionDoor(TURN_BACK, readDigestPage, async (page, { reply }) => reply.replace(await messageOf(page, parts))),
    actionDoor(TURN_ON, readDigestPage, async (page, { reply }) => reply.replace(await messageOf(page, parts))),
  ];
}

async function messageOf(page: DigestPage, { store, environments }: DigestParts) {
  return digestPageMessage(page, await groupsOf(page, store), (name) => labelled(name, environments));
}

async function groupsOf({ digestId, of, offset }: DigestPage, store: DigestPages) {
  if (of === 'announced') return store.digestGroups(digestId, { offset, limit: ROWS_A_PAGE });
  const counted = await store.digestCounted(digestId);
  return { groups: counted.slice(offset, offset + ROWS_A_PAGE), total: counted.length };
}
