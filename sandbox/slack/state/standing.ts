import { ENTERPRISE, type SeedPerson, TEAM } from '../seed.ts';
import type { Channel } from './conversations.ts';
import type { People } from './people.ts';

/** A person's membership in this workspace. */
export type Standing = 'member' | 'guest' | 'other organization';

export function standingOf(person: SeedPerson): Standing {
  const { teamId = TEAM.id, enterpriseId, isGuest = false } = person;
  if (teamId !== TEAM.id && enterpriseId !== ENTERPRISE.id) return 'other organization';
  return isGuest ? 'guest' : 'member';
}

/** Returns true for a channel with people of another organization (Slack Connect). */
export function isShared({ kind, members }: Channel, people: People): boolean {
  const isStranger = (person: SeedPerson | undefined) =>
    person !== undefined && standingOf(person) === 'other organization';
  return kind !== 'direct' && members.some((id) => isStranger(people.find(id)));
}
