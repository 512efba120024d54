import { type ReactNode, useState } from 'react';
import { createPortal } from 'react-dom';
import { Dialog } from './dialog.tsx';
import { useWorkspace } from './workspace.ts';

/** A button that asks for a name and makes a channel of it. */
export function NewChannel(): ReactNode {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" className="add" onClick={() => setAsking(true)}>
        + New channel
      </button>
      {/* Beside the page, where the sidebar's colours do not reach. */}
      {asking && createPortal(<NameDialog onClose={() => setAsking(false)} />, document.body)}
    </>
  );
}

function NameDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { send } = useWorkspace();
  const [name, setName] = useState('');
  const create = () => {
    onClose();
    void send({ do: 'create-channel', name: name.trim() });
  };
  return (
    <Dialog title="New channel" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create();
        }}
      >
        <label className="body">
          Name
          <input value={name} onChange={(event) => setName(event.target.value)} placeholder="alerts" />
        </label>
        <footer>
          <button type="submit" className="primary">
            Create
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
