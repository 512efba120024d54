import { ENTERPRISE, type SeedPerson, TEAM } from '../seed.ts';
import type { Channel } from './conversations.ts';
import type { People } from './people.ts';

/** What somebody is in this workspace. */
export type Standing = 'member' | 'guest' | 'other organization';

export function standingOf(person: SeedPerson): Standing {
  const { teamId = TEAM.id, enterpriseId, isGuest = false, isSingleChannelGuest = false } = person;
  if (teamId !== TEAM.id && enterpriseId !== ENTERPRISE.id) return 'other organization';
  return isGuest || isSingleChannelGuest ? 'guest' : 'member';
}

/** True for a channel that people of another organization are in: Slack Connect. */
export function isShared({ kind, members }: Channel, people: People): boolean {
  const isStranger = (person: SeedPerson | undefined) =>
    person !== undefined && standingOf(person) === 'other organization';
  return kind !== 'direct' && members.some((id) => isStranger(people.find(id)));
}
