import { isUserGroup } from './slack-ids.ts';

export type Access = 'everyone' | 'members' | 'operators';

export interface Operators {
  isEverybody: boolean;
  users: readonly string[];
  groups: readonly string[];
}

export function parseOperators(text: string): Operators {
  const ids = text.split(/[,\s]+/).filter((id) => id !== '');
  if (ids.includes('*')) return { isEverybody: true, users: [], groups: [] };
  return { isEverybody: false, users: ids.filter((id) => !isUserGroup(id)), groups: ids.filter(isUserGroup) };
}
