import type { ReactNode } from 'react';
import type { Tab } from '../page-protocol.ts';

const names: readonly (readonly [Tab, string])[] = [
  ['home', 'Home'],
  ['messages', 'Messages'],
];

interface TabsProps {
  readonly open: Tab;
  readonly onOpen: (tab: Tab) => void;
}

/** The two sides of the conversation with the bot. */
export function Tabs({ open, onOpen }: TabsProps): ReactNode {
  return (
    <nav className="tabs" aria-label="Tabs of the app">
      {names.map(([tab, name]) => (
        <button key={tab} type="button" aria-current={tab === open ? 'page' : undefined} onClick={() => onOpen(tab)}>
          {name}
        </button>
      ))}
    </nav>
  );
}
