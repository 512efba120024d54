import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { commandBeingTyped, gestureFor, type Offer } from './completion.ts';
import { Menu } from './menu.tsx';
import { Offers, offerId } from './offers.tsx';
import { useOffers } from './use-offers.ts';
import { useWorkspace } from './workspace.ts';

interface ComposerProps {
  readonly channel: string;
  readonly title: string;
  /** The thread that is being answered, or null. */
  readonly threadTs: string | null;
  readonly onLeaveThread: () => void;
  readonly onSend: () => void;
}

/** Where text and commands are typed: Enter sends, Shift+Enter begins a line; commands and names are offered while one types them. */
export function Composer({ channel, title, threadTs, onLeaveThread, onSend }: ComposerProps): ReactNode {
  const { snapshot, send, proposal, propose } = useWorkspace();
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const hint = commandBeingTyped(text, snapshot.commands)?.usageHint;

  useEffect(() => {
    if (threadTs !== null) field.current?.focus();
  }, [threadTs]);

  useEffect(() => {
    if (proposal === null) return;
    setText(proposal);
    propose(null);
    field.current?.focus();
  }, [proposal, propose]);

  const complete = ({ completed }: Offer) => {
    setText(completed);
    field.current?.focus();
  };
  const { offers, marked, takesKey } = useOffers(text, threadTs !== null, complete);
  const submit = () => {
    const gesture = gestureFor(text, channel, threadTs);
    if (gesture === null) return;
    setText('');
    onSend();
    void send(gesture);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (!takesKey(event)) {
      if (event.key !== 'Enter' || event.shiftKey) return;
      submit();
    }
    event.preventDefault();
  };

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {threadTs !== null && (
        <p className="quiet">
          Replying in a thread{' '}
          <button type="button" className="icon" aria-label="Leave the thread" onClick={onLeaveThread}>
            ✕
          </button>
        </p>
      )}
      {offers.length > 0 && <Offers {...{ listId, offers, marked }} onChoose={complete} />}
      {hint !== undefined && hint !== '' && <p className="hint quiet">{hint}</p>}
      <div className="row">
        <GlobalShortcuts />
        <textarea
          ref={field}
          rows={1}
          aria-label={`Message ${title}`}
          aria-autocomplete="list"
          aria-controls={offers.length > 0 ? listId : undefined}
          aria-activedescendant={offers.length > 0 ? offerId(listId, marked) : undefined}
          placeholder={`Message ${title}, or /notif help`}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <button type="submit" className="button primary" aria-label="Send message">
          Send
        </button>
      </div>
    </form>
  );
}

function GlobalShortcuts(): ReactNode {
  const { snapshot, send } = useWorkspace();
  const items = snapshot.shortcuts
    .filter(({ type }) => type === 'global')
    .map(({ name, callbackId }) => ({
      id: callbackId,
      name,
      choose: () => void send({ do: 'global-shortcut', callbackId }),
    }));
  return <Menu label="Shortcuts" face="⚡" items={items} />;
}
