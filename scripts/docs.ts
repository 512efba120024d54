import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { FLOWS } from '../test/declared-flows.ts';

/** Writes the tables of docs/commands.md and docs/permissions.md. With `--check` it exits with 1 if a page differs, instead. */
const { values } = parseArgs({ options: { check: { type: 'boolean' } } });

const TABLES: Readonly<Record<string, readonly string[]>> = {
  'docs/commands.md': commandTable(),
  'docs/permissions.md': permissionTable(),
};

for (const [page, table] of Object.entries(TABLES)) {
  const before = await readFile(page, 'utf8');
  const after = withTable(before, table, page);
  if (after === before) continue;
  if (values.check) {
    console.error(`${page} differs from the code: run npm run docs`);
    process.exitCode = 1;
  } else {
    await writeFile(page, after);
    console.info(`${page} is written.`);
  }
}

/** Replaces what is between the two marks of a page. */
function withTable(page: string, table: readonly string[], name: string): string {
  const [start, end] = ['<!-- Written by npm run docs -->\n', '<!-- End -->\n'];
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`${name} has no place for its table: two lines ${start}${end}`);
  return `${page.slice(0, from)}${start}${table.join('\n')}\n${page.slice(to)}`;
}

function commandTable(): string[] {
  return table(
    ['command', 'what you get', 'filters', 'for'],
    FLOWS.commands.map(({ word, usage, about, filters, for: access }) => [
      `\`/notif ${[word, usage].join(' ').trim()}\``,
      about,
      filters.map((key) => `\`${key}:\``).join(' '),
      access,
    ]),
  );
}

function permissionTable(): string[] {
  return table(
    ['for', 'commands'],
    ['everyone', 'members', 'operators'].map((who) => {
      const words = FLOWS.commands.filter((command) => command.for === who).map(({ word }) => `\`${word}\``);
      return [who, words.join(' ')];
    }),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}
