import type { GroupAccount } from './account.ts';
import type { SimulationReport } from './simulate.ts';

/** Outcomes whose failures come too late for the promise. They may be in the account if a sweep was late. */
const BEYOND = new Set(['too-late']);

/**
 * Returns whether every failure planted within the horizon is in the account once, and everything recorded was announced to the watches
 * that want it.
 */
export function isExact({ fates, groups, repeated, channel }: SimulationReport): boolean {
  const isWhole = fates.every(({ fate, planted, accounted, doubled }) => {
    return doubled === 0 && (accounted === planted || BEYOND.has(fate));
  });
  const isTrue = channel.untruths.length === 0 && channel.checked.rows > 0;
  return isWhole && isTrue && repeated === 0 && groups.every(({ recorded, alerted }) => recorded === alerted);
}

const MOST_UNTRUTHS = 20;

/** Formats the account as tables. */
export function describeReport(report: SimulationReport): string {
  const { fates, groups, repeated, costs, channel } = report;
  return [
    table(
      ['fate', 'planted', 'accounted', 'twice'],
      fates.map(({ fate, planted, accounted, doubled }) => [
        BEYOND.has(fate) ? `${fate} (beyond the horizon)` : fate,
        planted,
        accounted,
        doubled,
      ]),
    ),
    table(['watch', 'group', 'recorded', 'alerted', 'messages'], groups.map(rowOf)),
    table(
      ['cost', 'taken', 'least', 'ratio'],
      costs.map(({ what, taken, least }) => [what, taken, least ?? '', least ? (taken / least).toFixed(2) : '']),
    ),
    `messages that stand twice in their channel: ${repeated}`,
    `rows compared with what was planted: ${channel.checked.rows}, in ${channel.checked.minutes} minutes; untrue: ${channel.untruths.length}`,
    ...channel.untruths.slice(0, MOST_UNTRUTHS).map(({ what }) => what),
    isExact(report) ? 'The account is exact.' : 'THE ACCOUNT IS NOT EXACT.',
  ].join('\n\n');
}

function rowOf({ watch, group, recorded, alerted, messages }: GroupAccount): (string | number)[] {
  return [watch, group, recorded, alerted, messages];
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [head, ...rows.map((row) => row.map(String))];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
