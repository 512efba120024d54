import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { actFor, commandBeingTyped, type Offer } from './completion.ts';
import { Menu } from './menu.tsx';
import { Offers, offerId } from './offers.tsx';
import { useOffers } from './use-offers.ts';
import { useWorkspace } from './workspace.ts';

interface ComposerProps {
  readonly channel: string;
  /** The field's name for screen readers. */
  readonly name: string;
  /** The placeholder. */
  readonly hint: string;
  /** The open thread, or null. */
  readonly threadTs: string | null;
  readonly onSend: () => void;
}

/** The field for text and commands: Enter sends, Shift+Enter starts a line; commands and names are offered during typing. */
export function Composer({ channel, name, hint, threadTs, onSend }: ComposerProps): ReactNode {
  const { snapshot, send, proposal, propose } = useWorkspace();
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const usage = threadTs === null ? commandBeingTyped(text, snapshot.commands)?.usageHint : undefined;

  useEffect(() => {
    if (threadTs !== null) field.current?.focus();
  }, [threadTs]);

  useEffect(() => {
    if (proposal === null || threadTs !== null) return;
    setText(proposal);
    propose(null);
    field.current?.focus();
  }, [proposal, propose, threadTs]);

  const complete = ({ completed }: Offer) => {
    setText(completed);
    field.current?.focus();
  };
  const { offers, marked, takesKey } = useOffers(text, threadTs !== null, complete);
  const submit = () => {
    const act = actFor(text, channel, threadTs);
    if (act === null) return;
    setText('');
    onSend();
    void send(act).then(({ ok }) => {
      // Text that was refused returns to the field to be changed and sent again, unless something else has been typed.
      if (!ok) setText((now) => (now === '' ? text : now));
    });
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
      {offers.length > 0 && <Offers {...{ listId, offers, marked }} onChoose={complete} />}
      {usage !== undefined && usage !== '' && <p className="hint quiet">{usage}</p>}
      <div className="row">
        {threadTs === null && <GlobalShortcuts />}
        <textarea
          ref={field}
          rows={1}
          aria-label={name}
          aria-autocomplete="list"
          aria-controls={offers.length > 0 ? listId : undefined}
          aria-activedescendant={offers.length > 0 ? offerId(listId, marked) : undefined}
          placeholder={hint}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <button type="submit" className="button primary" aria-label={threadTs === null ? 'Send message' : 'Send reply'}>
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
