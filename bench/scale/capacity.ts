import { z } from 'zod';
import { type Costs, cpuSecondsAMinute, workOf } from './calculation.ts';

/** The figures of a run of `scale`, as docs/capacity.md shows them. */
export const ScaleFigures = z.object({
  machine: z.object({
    measuredAt: z.string(),
    node: z.string(),
    cpu: z.string(),
    cores: z.number(),
    loadBefore: z.number(),
  }),
  figures: z.array(z.object({ label: z.string(), value: z.number().nullable(), unit: z.string() })),
});
export type ScaleFigures = z.infer<typeof ScaleFigures>;

export const BEGIN = '<!-- figures: written by `npx tsx bench/scale/write-capacity.ts` -->';
export const END = '<!-- end of figures -->';

/** The page with its figures replaced by those of a run. Throws where the page has no place for them. */
export function withFigures(page: string, figures: ScaleFigures): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error('docs/capacity.md has no place for the figures.');
  return `${page.slice(0, begin + BEGIN.length)}\n\n${sectionOf(figures)}\n${page.slice(end)}`;
}

function sectionOf({ machine, figures }: ScaleFigures): string {
  if (figures.length === 0) return 'Not measured at full size yet.\n';
  const value = (label: string) => figures.find((figure) => figure.label === label)?.value ?? Number.NaN;
  const { measuredAt, node, cores, loadBefore } = machine;
  const busy = loadBefore > cores / 2 ? ', busy with other work' : '';
  return [
    `Measured on ${measuredAt.slice(0, 10)}, Node ${node}, ${cores} cores (load ${loadBefore.toFixed(1)}${busy}).`,
    '',
    '### What things cost',
    '',
    ...table(
      ['CPU time of the process', 'embedded', '`DATABASE_URL`'],
      Object.entries(LABELS).map(([, label]) => [
        label,
        ...(['embedded', 'DATABASE_URL'] as const).map((where) => `${round(value(`${where}: ${label}`))} ms`),
      ]),
    ),
    '',
    '### Measured and calculated',
    '',
    ...table(
      [
        'a minute of',
        'environments',
        'new events',
        'events in checks',
        'requests',
        'CPU measured',
        'calculated',
        'off by',
      ],
      (
        [
          ['one process', 'one process, usual'],
          ['one process', 'one process, surge'],
          ['replicas', 'replicas'],
        ] as const
      ).map(([where, what]) => [
        what,
        round(value(`${where}: environments`)),
        round(value(`${what}: new events, a minute`)),
        round(value(`${what}: events in checks, a minute`)),
        round(value(`${what}: requests, a minute`)),
        `${round(value(`${what}: CPU, a minute`))} s`,
        `${round(value(`${what}: CPU calculated`))} s`,
        `${round(value(`${what}: the calculation is off by`))}%`,
      ]),
    ),
    '',
    ...table(
      ['', 'one process', 'four replicas, one killed'],
      [
        ['lateness of polls, p50', ...both(value, 'lateness of polls, p50', 'ms')],
        ['lateness of polls, p99', ...both(value, 'lateness of polls, p99', 'ms')],
        ['acknowledgment, p99 at most', `${round(value('one process: acknowledgment, p99 at most'))} ms`, '–'],
        [
          'resident',
          `${round(value('one process: resident'))} MB`,
          `${round(value('replicas: resident, most'))} MB each`,
        ],
        ['CPU of PostgreSQL, a minute', '–', `${round(value('replicas: CPU of PostgreSQL, a minute'))} s`],
        ['taken over after, longest', '–', `${round(value('replicas: taken over after, longest'))} s`],
        [
          'failures planted; lost or doubled',
          '–',
          `${round(value('replicas: failures planted'))}; ${round(value('replicas: failures lost or doubled'))}`,
        ],
        ['incidents not announced once', '–', round(value('replicas: incidents not announced once'))],
      ],
    ),
    '',
    '### Extrapolated',
    '',
    ...table(
      ['environments', 'events a day', 'requests a second', 'cores for Notif', 'of them for late failures'],
      LOADS.map(([environments, eventsADay]) => extrapolated(environments, eventsADay, costsOf(value))),
    ),
    '',
  ].join('\n');
}

const LABELS: Readonly<Record<keyof Costs, string>> = {
  process: 'a process, a minute',
  environment: 'an environment, a minute',
  polledEvent: 'an event in a poll',
  checkedEvent: 'an event in a check',
  failure: 'a failure',
  message: 'a message',
};

const LOADS = [
  [200, 2_880_000],
  [1_000, 10_000_000],
  [1_000, 100_000_000],
  [10_000, 100_000_000],
  [10_000, 1_000_000_000],
] as const;

function costsOf(value: (label: string) => number): Costs {
  const cost = (what: keyof Costs) => value(`DATABASE_URL: ${LABELS[what]}`);
  return {
    process: cost('process'),
    environment: cost('environment'),
    polledEvent: cost('polledEvent'),
    checkedEvent: cost('checkedEvent'),
    failure: cost('failure'),
    message: cost('message'),
  };
}

const SECONDS_A_MINUTE = 60;

/** One event in a hundred fails, and 20 messages a minute are posted. */
function extrapolated(environments: number, eventsADay: number, costs: Costs): string[] {
  const work = workOf({ processes: 2, environments, eventsADay, failing: 0.01, messagesAMinute: 20 });
  const cores = cpuSecondsAMinute(work, costs) / SECONDS_A_MINUTE;
  const late = (work.checkedEvents * costs.checkedEvent) / 1_000 / SECONDS_A_MINUTE;
  return [
    environments.toLocaleString('en-US'),
    eventsADay.toLocaleString('en-US'),
    round(work.requests / SECONDS_A_MINUTE),
    round(cores),
    round(late),
  ];
}

function both(value: (label: string) => number, what: string, unit: string): string[] {
  return ['one process', 'replicas'].map((where) => `${round(value(`${where}: ${what}`))} ${unit}`);
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)];
}

/** Two digits, or whole numbers: such a measurement knows no more. */
function round(value: number): string {
  if (!Number.isFinite(value)) return 'unknown';
  return Math.abs(value) >= 10 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(2)));
}
