import { type ReactNode, useEffect, useState } from 'react';
import type { TrafficEntry, TrafficLine } from '../../traffic/traffic-protocol.ts';
import { useWorkspace } from '../workspace.ts';
import { fetchEntry } from './follow-traffic.ts';
import { moodOf, outcomeText } from './lines.ts';
import { MarkedJson } from './marked-json.tsx';

const directions = {
  call: { sign: '→', name: 'From the bot' },
  envelope: { sign: '←', name: 'To the bot' },
  connection: { sign: '·', name: 'Connection' },
} as const;

/** Shows a call, an envelope or a connection, with everything sent and answered if it is open. */
export function TrafficRow({ line }: { readonly line: TrafficLine }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { timeZone } = useWorkspace().snapshot.me;
  const { sign, name } = directions[line.kind];
  const title = (
    <>
      <time>{new Date(line.at).toLocaleTimeString('en-GB', { timeZone })}</time>
      <span role="img" aria-label={name}>
        {sign}
      </span>
      <span className="what">
        <strong>{line.what}</strong> <span className="quiet">{line.about}</span>
      </span>
      <span className={`outcome ${moodOf(line)}`}>{outcomeText(line)}</span>
    </>
  );
  if (line.kind === 'connection') return <div className="traffic-row">{title}</div>;
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="traffic-row">{title}</summary>
      {isOpen && <Opened line={line} />}
    </details>
  );
}

/** Fetches again when the line changes, because an acknowledgment can come while it is open. */
function Opened({ line }: { readonly line: TrafficLine }): ReactNode {
  const [entry, setEntry] = useState<TrafficEntry | null>(null);
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    void fetchEntry(line.id).then((fetched) => {
      if (!isCurrent) return;
      setEntry(fetched);
      setGone(fetched === null);
    });
    return () => {
      isCurrent = false;
    };
  }, [line]);
  if (isGone) return <p className="quiet">This is no longer remembered.</p>;
  return entry && <Contents entry={entry} />;
}

function Contents({ entry }: { readonly entry: TrafficEntry }): ReactNode {
  const problems = entry.outcome.is === 'refused' ? entry.outcome.problems : [];
  const areInAnswer = entry.kind === 'envelope';
  return (
    <>
      {problems.length > 0 && (
        <ul className="problems">
          {problems.map(({ message, pointer }) => (
            <li key={`${message} ${pointer}`}>
              {message} {pointer !== null && <code>{pointer}</code>}
            </li>
          ))}
        </ul>
      )}
      <h4>{areInAnswer ? 'Sent to the bot' : 'Sent by the bot'}</h4>
      <MarkedJson value={entry.sent} problems={areInAnswer ? [] : problems} />
      {entry.answer !== null && (
        <>
          <h4>{areInAnswer ? 'In the acknowledgment' : 'Answered'}</h4>
          <MarkedJson value={entry.answer} problems={areInAnswer ? problems : []} />
        </>
      )}
    </>
  );
}
