import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { FLOWS } from '../test/declared-flows.ts';

/** Writes the table of commands. With `--check` it exits with 1 if the page differs, instead. */
const { values } = parseArgs({ options: { check: { type: 'boolean' } } });

const PAGE = 'docs/commands.md';

const before = await readFile(PAGE, 'utf8');
const after = withTable(before, commandTable());
if (after !== before) {
  if (values.check) {
    console.error(`${PAGE} differs from the code: run npm run docs`);
    process.exitCode = 1;
  } else {
    await writeFile(PAGE, after);
    console.info(`${PAGE} is written.`);
  }
}

/** Replaces what is between the page's two marks. */
function withTable(page: string, table: readonly string[]): string {
  const [start, end] = ['<!-- Written by npm run docs -->\n', '<!-- End -->\n'];
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`${PAGE} has no place for its table: two lines ${start}${end}`);
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

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}
