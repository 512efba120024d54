import { type ReactNode, useMemo, useState } from 'react';
import type { Conversation, PageAct, Snapshot, Tab } from '../page-protocol.ts';
import { ConversationPane } from './conversation.tsx';
import { SidePanel, useTried } from './side-panel.tsx';
import { Sidebar } from './sidebar.tsx';
import { ThreadPane, useThread } from './thread.tsx';
import { wordsOfAct } from './tour.ts';
import { type MarksOfPeople, type MarksState, useUnread } from './unread.ts';
import { ViewStack } from './views.tsx';
import { postAct, troubleOf, useWorkspaceStream, WorkspaceContext } from './workspace.ts';

/** What the page shows, as in its URL. */
interface Address {
  /** The ID of the person that the user acts as. */
  as: string;
  conversation: string | null;
  tab: Tab;
}

/** Ann of the seed, an operator, who can try everything. The page acts as her unless the URL names somebody known. */
const firstPerson = 'U0ANN';

function readAddress(search: string): Address {
  const parameters = new URLSearchParams(search);
  const tab = parameters.get('tab') === 'home' ? 'home' : 'messages';
  return { as: parameters.get('as') ?? firstPerson, conversation: parameters.get('in'), tab };
}

function writeAddress({ as, conversation, tab }: Address): string {
  const place = { ...(conversation !== null && { in: conversation }), ...(tab === 'home' && { tab }) };
  return `?${new URLSearchParams({ as, ...place })}`;
}

export function App(): ReactNode {
  const [address, setAddress] = useState(() => readAddress(window.location.search));
  const marks = useState<MarksOfPeople>({});
  const move = (next: Address) => {
    window.history.replaceState(null, '', writeAddress(next));
    setAddress(next);
  };
  const { snapshot, connected } = useWorkspaceStream(address.as, () => {
    if (address.as !== firstPerson) move({ ...address, as: firstPerson });
  });
  return (
    <>
      {!connected && (
        <p className="banner" role="alert">
          The sandbox does not answer. Trying again …
        </p>
      )}
      {snapshot === null ? (
        <p className="quiet">Opening the workspace …</p>
      ) : (
        <WorkspacePage {...{ snapshot, address, move, marks }} />
      )}
    </>
  );
}

interface WorkspacePageProps {
  snapshot: Snapshot;
  address: Address;
  move: (next: Address) => void;
  marks: MarksState;
}

function WorkspacePage({ snapshot, address, move, marks }: WorkspacePageProps): ReactNode {
  const [trouble, setTrouble] = useState<string | null>(null);
  const [proposal, propose] = useState<string | null>(null);
  const tried = useTried(snapshot);
  const { recordHappening } = tried;
  const open = snapshot.conversations.find(({ id }) => id === address.conversation) ?? snapshot.conversations[0];
  const unread = useUnread(snapshot, open?.id ?? null, marks);
  const { thread, openThread, closeThread } = useThread();
  const workspace = useMemo(() => {
    const send = async (act: PageAct) => {
      setTrouble(null);
      const answer = await postAct(address.as, act);
      const problem = troubleOf(answer);
      if (problem !== null) setTrouble(problem);
      if (answer.ok) recordHappening({ did: wordsOfAct(act, snapshot) });
      return answer;
    };
    return { snapshot, send, proposal, propose, thread, openThread };
  }, [snapshot, address.as, recordHappening, proposal, thread, openThread]);
  const troubleNote = trouble !== null && (
    <div className="trouble" role="alert">
      <span>⚠️ {trouble}</span>
      <button type="button" className="icon" aria-label="Dismiss" onClick={() => setTrouble(null)}>
        ✕
      </button>
    </div>
  );
  const inDialog = snapshot.views.length > 0;
  const goTo = (next: Conversation, tab: Tab) => {
    closeThread();
    move({ ...address, conversation: next.id, tab });
    if (next.kind === 'direct') void workspace.send({ do: 'open-tab', tab });
  };
  const actAs = (as: string) => {
    closeThread();
    move({ ...address, as });
  };

  return (
    <WorkspaceContext value={workspace}>
      <Sidebar openId={open?.id} unread={unread} onOpen={(next) => goTo(next, 'messages')} onActAs={actAs} />
      {open && (
        <ConversationPane
          key={`${address.as} ${open.id}`}
          conversation={open}
          tab={address.tab}
          onTab={(tab) => goTo(open, tab)}
          note={!inDialog && thread === null && troubleNote}
        />
      )}
      {open && thread !== null && (
        <ThreadPane
          key={thread}
          conversation={open}
          threadTs={thread}
          onClose={closeThread}
          note={!inDialog && troubleNote}
        />
      )}
      <SidePanel
        tried={tried}
        isHidden={thread !== null}
        onPropose={(text, name) => {
          const conversation = snapshot.conversations.find((each) => each.name === name);
          if (conversation !== undefined) goTo(conversation, 'messages');
          propose(text);
        }}
      />
      <ViewStack views={snapshot.views} note={inDialog && troubleNote} />
    </WorkspaceContext>
  );
}
