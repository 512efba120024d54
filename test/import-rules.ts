import { dirname } from 'node:path';
import { type Door, ROOMS, type Room } from './import-table.ts';
import { type Import, importedFile } from './source-code.ts';

export function roomOf(file: string): Room | undefined {
  return ROOMS.find((room) => room.files.test(file));
}

/**
 * What is wrong with one import of `file`, in words that say where it may belong; null for one that the table allows.
 */
export function objectionTo(file: string, imported: Import): string | null {
  const room = roomOf(file);
  if (room === undefined) return null;
  const target = importedFile(file, imported.from);
  if (target !== null) return objectionToFile(room, file, imported, target);
  if (imported.from.startsWith('node:'))
    return objectionToModule(room, file, 'builtins', imported.from, imported.from.slice(5));
  return objectionToModule(room, file, 'packages', imported.from, packageName(imported.from));
}

function objectionToFile(room: Room, file: string, imported: Import, target: string): string | null {
  const targetRoom = roomOf(target);
  if (targetRoom === undefined) return `${file} imports ${target}, which is no part of the product`;
  if (allows(room, targetRoom, file, imported, target)) return null;
  const others = ROOMS.filter((other) => other !== room && reaches(other, targetRoom) && reaches(other, room));
  return `${file} is in ${room.name}, which may not import ${target} of ${targetRoom.name}. ${whereElse(others)}`;
}

function allows(room: Room, targetRoom: Room, file: string, { typesOnly }: Import, target: string): boolean {
  if (room.rooms === 'every room of src') return true;
  const fits = (door: Door): boolean =>
    door.room === targetRoom.name &&
    (door.typesOnly !== true || typesOnly) &&
    (door.sameFolder !== true || dirname(file) === dirname(target));
  return room.rooms.some(fits);
}

function objectionToModule(
  room: Room,
  file: string,
  kind: 'packages' | 'builtins',
  from: string,
  name: string,
): string | null {
  if (room[kind].includes(name)) return null;
  const others = ROOMS.filter((other) => other[kind].includes(name));
  return `${file} is in ${room.name}, which may not import ${from}. ${whereElse(others)}`;
}

function whereElse(rooms: readonly Room[]): string {
  if (rooms.length === 0) return 'No room may: test/import-table.ts and docs/architecture.md are where to ask for it.';
  return `It probably belongs in ${rooms.map(({ name }) => name).join(' or ')}.`;
}

function reaches(room: Room, target: Room): boolean {
  return room === target || room.rooms === 'every room of src' || room.rooms.some((door) => door.room === target.name);
}

/** `@slack/types/dist/x` -> `@slack/types`, `drizzle-orm/pg-core` -> `drizzle-orm`. */
export function packageName(from: string): string {
  return from.split('/', from.startsWith('@') ? 2 : 1).join('/');
}
