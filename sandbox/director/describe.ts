import type { ScenarioState } from './protocol.ts';

/** Formats the scenarios for a terminal: a line each with name, duration and description. A playing one also has its progress. */
export function describeScenarios(
  scenarios: readonly (Omit<ScenarioState, 'play' | 'lookFor' | 'title'> & Partial<ScenarioState>)[],
): string {
  const width = Math.max(...scenarios.map(({ name }) => name.length));
  const lines = scenarios.map(({ name, lastsMs, description, play }) => {
    const line = `${name.padEnd(width)}  ${clockTime(lastsMs).padStart(5)}  ${description}`;
    return play ? `${line}\n${' '.repeat(width + 9)}▶ ${progressOf(play)}` : line;
  });
  return lines.join('\n');
}

function progressOf({ elapsedMs, speed, seed, happening }: NonNullable<ScenarioState['play']>): string {
  if (elapsedMs < 0) return `begins in ${clockTime(-elapsedMs)}`;
  return [`${clockTime(elapsedMs)} at ${speed}×, seed ${seed}`, ...happening].join(' · ');
}

/** Formats minutes and seconds: 3:05. */
export function clockTime(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
