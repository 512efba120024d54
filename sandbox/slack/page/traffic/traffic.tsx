import { type ReactNode, useEffect, useState } from 'react';
import type { TrafficLine } from '../../traffic/traffic-protocol.ts';
import { followTraffic } from './follow-traffic.ts';
import { FILTERS, type Filter, shownLines, withNews } from './lines.ts';
import { TrafficRow } from './traffic-row.tsx';

/** Shows everything sent between the bot and the workspace, newest first. */
export function Traffic(): ReactNode {
  const [lines, setLines] = useState<readonly TrafficLine[]>([]);
  const [filter, setFilter] = useState<Filter>('All');
  useEffect(() => followTraffic((news) => setLines((known) => withNews(known, news))), []);
  const shown = shownLines(lines, filter);
  return (
    <section className="traffic" aria-label="Traffic">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset takes no flex layout everywhere */}
      <div role="group" aria-label="Show">
        {FILTERS.map((each) => (
          <button key={each} type="button" aria-pressed={each === filter} onClick={() => setFilter(each)}>
            {each}
          </button>
        ))}
      </div>
      {shown.length === 0 && <p className="quiet">Nothing of this kind has gone by yet.</p>}
      <ul>
        {shown.map((line) => (
          <li key={line.id}>
            <TrafficRow line={line} />
          </li>
        ))}
      </ul>
    </section>
  );
}
