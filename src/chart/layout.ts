import { bucketAt } from '../domain/charts/buckets.ts';
import type { Chart, Mark } from '../domain/charts/chart.ts';
import { barsOf } from '../domain/charts/chart-facts.ts';
import type { PictureWords } from '../domain/charts/picture.ts';
import { clockTime } from '../domain/time/zone-clock.ts';
import { countLabels, countTicks, tickLabel, timeTicks } from './axes.ts';
import type { Box, Color, Drawing, Line, Measure, Point, Shape, Text, Weight } from './drawing.ts';

const WIDTH = 800;
const MARGIN = 24;
const PLOT_HEIGHT = 260;
const TITLE = 26;
/** The font size: a phone shows the picture at less than half its size. */
const WORDS = 21;
const LINE_HEIGHT = 29;

const BACKGROUND: Color = '#ffffff';
const INK: Color = '#1d1c1d';
const QUIET: Color = '#56555a';
const GRID: Color = '#dddddd';
const STRIPES: Color = '#c4c4c8';
const EVENTS: Color = '#1d1c1d';

/** Colors that can be distinguished with any color vision (M. Okabe, K. Ito, "Color Universal Design"). The last is for all others. */
const SERIES: readonly Color[] = ['#d55e00', '#0072b2', '#e69f00', '#009e73', '#cc79a7'];
const OTHERS: Color = '#8c8c8c';

/** Lays out the picture of a chart: bars of failures, a line of events, stripes for what wasn't checked, and marks. */
export function layout(chart: Chart, words: PictureWords, measure: Measure): Drawing {
  const write = writer(measure);
  const head = [
    write(words.title, MARGIN, MARGIN + TITLE, { size: TITLE, weight: 'medium', most: WIDTH - 2 * MARGIN }),
    ...words.lines.map((line, index) =>
      write(line, MARGIN, MARGIN + TITLE + 6 + (index + 1) * LINE_HEIGHT, { color: QUIET, most: WIDTH - 2 * MARGIN }),
    ),
  ];
  const legend = legendOf(chart, words, MARGIN + TITLE + 22 + words.lines.length * LINE_HEIGHT, write);
  const plot = plotOf(chart, legend.bottom + (chart.marks.length > 0 ? 2 * LINE_HEIGHT : LINE_HEIGHT) + 22, measure);
  return {
    width: WIDTH,
    height: plot.bottom + LINE_HEIGHT + MARGIN,
    background: BACKGROUND,
    shapes: [
      ...head,
      ...legend.shapes,
      ...uncheckedShapes(chart, plot, write),
      ...axisShapes(chart, plot, words.timeZone, write),
      ...barShapes(chart, plot),
      ...eventShapes(chart, plot),
      ...markShapes(chart, plot, words.timeZone, write),
    ],
  };
}

interface Style {
  readonly size?: number;
  readonly weight?: Weight;
  readonly color?: Color;
  /** The maximum width. A wider text is cut off with '…'. */
  readonly most?: number;
  readonly align?: 'left' | 'right' | 'center';
}

type Write = (text: string, x: number, y: number, style?: Style) => Text;

function writer(measure: Measure): Write {
  return (text, x, y, { size = WORDS, weight = 'regular', color = INK, most = WIDTH, align = 'left' } = {}) => {
    const shown = cutTo(most, text, (one) => measure(one, size, weight));
    const width = measure(shown, size, weight);
    const left = { left: x, right: x - width, center: x - width / 2 }[align];
    return { is: 'text', text: shown, x: left, y, size, weight, color };
  };
}

/** More than fit in the width of a picture, however narrow they are. */
const MOST_CHARACTERS = 500;

function cutTo(most: number, text: string, widthOf: (text: string) => number): string {
  if (text.length <= MOST_CHARACTERS && widthOf(text) <= most) return text;
  const characters = [...text.slice(0, MOST_CHARACTERS)];
  let length = characters.length;
  while (length > 0 && widthOf(`${characters.slice(0, length).join('')}…`) > most) length -= 1;
  return `${characters.slice(0, length).join('').trimEnd()}…`;
}

function colorOf(series: number, chart: Chart): Color {
  return chart.series[series]?.example === null ? OTHERS : (SERIES[series] ?? OTHERS);
}

const SWATCH = 16;

/** Lays out the legend: two entries a line if both fit, then what isn't a series. */
function legendOf(
  chart: Chart,
  { legend }: PictureWords,
  top: number,
  write: Write,
): { shapes: Shape[]; bottom: number } {
  const parts = legend.map((text, index): Key => ({ text, draw: (x, y) => [swatch(x, y, colorOf(index, chart))] }));
  const others: readonly Key[] = [
    ...(hasEvents(chart) ? [{ text: 'events checked (right axis)', draw: eventsKey }] : []),
    ...(chart.unchecked.length > 0 ? [{ text: 'not checked', draw: uncheckedKey }] : []),
  ];
  const room = (WIDTH - 2 * MARGIN) / 2 - SWATCH - 26;
  const isNarrow = parts.every(({ text }) => write(text, 0, 0, { most: room }).text === text);
  const upper = keyRows(parts, isNarrow ? 2 : 1, top, write);
  const lower = keyRows(others, 2, upper.bottom, write);
  return { shapes: [...upper.shapes, ...lower.shapes], bottom: lower.bottom };
}

interface Key {
  readonly text: string;
  readonly draw: (x: number, y: number) => Shape[];
}

function keyRows(
  keys: readonly Key[],
  columns: number,
  top: number,
  write: Write,
): { shapes: Shape[]; bottom: number } {
  const width = (WIDTH - 2 * MARGIN) / columns;
  const shapes = keys.flatMap(({ text, draw }, index): Shape[] => {
    const x = MARGIN + (index % columns) * width;
    const y = top + (Math.floor(index / columns) + 1) * LINE_HEIGHT;
    return [...draw(x, y - SWATCH), write(text, x + SWATCH + 10, y, { most: width - SWATCH - 26 })];
  });
  return { shapes, bottom: top + Math.ceil(keys.length / columns) * LINE_HEIGHT };
}

function swatch(x: number, y: number, color: Color): Box {
  return { is: 'box', x, y, width: SWATCH, height: SWATCH, color };
}

function eventsKey(x: number, y: number): Shape[] {
  return [
    line(
      [
        [x - 2, y + SWATCH / 2],
        [x + SWATCH + 2, y + SWATCH / 2],
      ],
      3,
      EVENTS,
    ),
  ];
}

function uncheckedKey(x: number, y: number): Shape[] {
  return [{ ...swatch(x, y, STRIPES), isHatched: true }];
}

function line(points: readonly Point[], width: number, color: Color): Line {
  return { is: 'line', points, width, color };
}

interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly failureTicks: readonly number[];
  readonly eventTicks: readonly number[];
  readonly xOf: (at: Date) => number;
  /** Returns the height of a count of failures. `heightOfEvents` is for events. */
  readonly heightOf: (failures: number) => number;
  readonly heightOfEvents: (events: number) => number;
}

function plotOf(chart: Chart, top: number, measure: Measure): Plot {
  const failureTicks = countTicks(Math.max(1, ...barsOf(chart.series)));
  const eventTicks = hasEvents(chart) ? countTicks(Math.max(1, ...chart.events.map((count) => count ?? 0))) : [];
  const widest = (ticks: readonly number[]) =>
    Math.max(0, ...countLabels(ticks).map((label) => measure(label, WORDS, 'regular')));
  const left = MARGIN + widest(failureTicks) + 10;
  const right = WIDTH - MARGIN - (eventTicks.length === 0 ? 0 : widest(eventTicks) + 10);
  const { from, to } = chart.buckets;
  const length = to.getTime() - from.getTime();
  return {
    ...{ left, right, top, bottom: top + PLOT_HEIGHT, failureTicks, eventTicks },
    xOf: (at) => left + ((at.getTime() - from.getTime()) / length) * (right - left),
    heightOf: (failures) => (failures / (failureTicks.at(-1) ?? 1)) * PLOT_HEIGHT,
    heightOfEvents: (events) => (events / (eventTicks.at(-1) ?? 1)) * PLOT_HEIGHT,
  };
}

function hasEvents({ events }: Chart): boolean {
  return events.some((count) => count !== null && count > 0);
}

const MOST_TIMES = 7;

function axisShapes({ buckets, marks }: Chart, plot: Plot, timeZone: string, write: Write): Shape[] {
  const { left, right, top, bottom, failureTicks, eventTicks } = plot;
  const beside = WORDS / 3;
  const eventLabels = countLabels(eventTicks);
  const failures = countLabels(failureTicks).flatMap((label, index): Shape[] => {
    const tick = failureTicks[index] ?? 0;
    const y = bottom - plot.heightOf(tick);
    const grid = line(
      [
        [left, y],
        [right, y],
      ],
      tick === 0 ? 2 : 1,
      tick === 0 ? QUIET : GRID,
    );
    return [grid, write(label, left - 10, y + beside, { color: QUIET, align: 'right' })];
  });
  const events = eventTicks.map((tick, index) =>
    write(eventLabels[index] ?? '', right + 10, bottom - plot.heightOfEvents(tick) + beside, { color: QUIET }),
  );
  const times = timeTicks(buckets, timeZone, MOST_TIMES).flatMap((at): Shape[] => {
    const x = plot.xOf(at);
    const label = write(tickLabel(at, timeZone), x, bottom + LINE_HEIGHT, { color: QUIET, align: 'center' });
    const isCut = label.x < MARGIN / 2 || label.x + 2 * (x - label.x) > WIDTH - MARGIN / 2;
    return [
      line(
        [
          [x, bottom],
          [x, bottom + 6],
        ],
        2,
        QUIET,
      ),
      ...(isCut ? [] : [label]),
    ];
  });
  const unit = write('failures', MARGIN, top - (marks.length > 0 ? LINE_HEIGHT : 0) - 18, { color: QUIET });
  return [...failures, unit, ...events, ...times];
}

/** Draws stripes over the whole height of unchecked parts, so that a part without bars doesn't look like one without failures. */
function uncheckedShapes({ unchecked }: Chart, plot: Plot, write: Write): Shape[] {
  return unchecked.flatMap(({ from, to }): Shape[] => {
    const x = plot.xOf(from);
    const width = Math.max(1.5, plot.xOf(to) - x);
    const stripes: Box = { is: 'box', x, y: plot.top, width, height: PLOT_HEIGHT, color: STRIPES, isHatched: true };
    const label = write('not checked', x + width / 2, plot.top + PLOT_HEIGHT / 2, { color: INK, align: 'center' });
    const room = 2 * (x + width / 2 - label.x);
    if (room + 16 > width) return [stripes];
    const behind: Box = {
      is: 'box',
      x: label.x - 6,
      y: label.y - WORDS,
      width: room + 12,
      height: WORDS + 10,
      color: BACKGROUND,
    };
    return [stripes, behind, label];
  });
}

function barShapes(chart: Chart, plot: Plot): Shape[] {
  return Array.from({ length: chart.buckets.count }, (_, bucket) => {
    const { from, to } = bucketAt(chart.buckets, bucket);
    const begin = plot.xOf(from);
    const width = plot.xOf(to) - begin;
    const gap = Math.min(3, width / 5);
    let y = plot.bottom;
    return chart.series.flatMap(({ counts }, series): Shape[] => {
      const count = counts[bucket] ?? 0;
      if (count === 0) return [];
      const height = plot.heightOf(count);
      y -= height;
      const box = { x: begin + gap / 2, y, width: Math.max(1, width - gap), height };
      return [{ is: 'box', ...box, color: colorOf(series, chart), part: { series, bucket } }];
    });
  }).flat();
}

/** Draws the line of events, interrupted where nothing was checked. */
function eventShapes(chart: Chart, plot: Plot): Shape[] {
  if (!hasEvents(chart)) return [];
  const stretches: Point[][] = [[]];
  for (const [bucket, count] of chart.events.entries()) {
    const { from, to } = bucketAt(chart.buckets, bucket);
    const middle = (plot.xOf(from) + plot.xOf(to)) / 2;
    if (count === null) stretches.push([]);
    else stretches.at(-1)?.push([middle, plot.bottom - plot.heightOfEvents(count)]);
  }
  const drawn = stretches.map(withEnds).filter((points) => points.length > 1);
  return drawn.map((points) => line(points, 2.5, EVENTS));
}

/** Extends a single point to a short line. */
function withEnds(points: readonly Point[]): readonly Point[] {
  const [first] = points;
  return points.length === 1 && first !== undefined
    ? [
        [first[0] - 4, first[1]],
        [first[0] + 4, first[1]],
      ]
    : points;
}

function markShapes({ marks }: Chart, plot: Plot, timeZone: string, write: Write): Shape[] {
  let taken = plot.left;
  return marks.flatMap((mark): Shape[] => {
    const x = plot.xOf(mark.at);
    const flag = [dashed(x, plot.top - 4, plot.bottom), triangle(x, plot.top - 4)].flat();
    const label = write(`${markWords(mark)} ${clockTime(mark.at, timeZone)}`, x, plot.top - 18, { align: 'center' });
    const width = 2 * (x - label.x);
    const left = Math.max(taken, Math.min(label.x, WIDTH - MARGIN - width));
    if (left + width > WIDTH - MARGIN || left > x + MARGIN) return flag;
    taken = left + width + 14;
    return [...flag, { ...label, x: left }];
  });
}

const LONGEST_NAME = 16;

/** Returns the label of a mark. The picture has no room for a longer name; the message text gives it in full. */
function markWords({ kind, name }: Mark): string {
  if (kind === 'acknowledged' || kind === 'resolved') return kind;
  const verb = kind === 'change' ? 'changed' : 'deployed';
  if (name === null || name.length <= LONGEST_NAME) return `${name ?? kind} ${verb}`;
  return `${name.slice(0, LONGEST_NAME - 1).trimEnd()}… ${verb}`;
}

function dashed(x: number, top: number, bottom: number): Line[] {
  const dashes = Math.ceil((bottom - top) / 14);
  return Array.from({ length: dashes }, (_, index) =>
    line(
      [
        [x, top + index * 14],
        [x, Math.min(bottom, top + index * 14 + 8)],
      ],
      2,
      INK,
    ),
  );
}

function triangle(x: number, y: number): Line[] {
  return [0, 1, 2, 3, 4, 5, 6].map((row) =>
    line(
      [
        [x - 7 + row, y - 8 + row],
        [x + 7 - row, y - 8 + row],
      ],
      1.6,
      INK,
    ),
  );
}
