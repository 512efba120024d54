import { type ReactNode, useState } from 'react';
import { Button, FieldError, Form, Input, Label, TextField } from 'react-aria-components';
import { Dialog } from './dialog.tsx';
import { useWorkspace } from './workspace.ts';

/** Shows a button that asks for a name and creates a channel. */
export function NewChannel(): ReactNode {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button className="add" onPress={() => setAsking(true)}>
        + New channel
      </Button>
      {asking && <NameDialog onClose={() => setAsking(false)} />}
    </>
  );
}

function NameDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { send } = useWorkspace();
  const [name, setName] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const create = async () => {
    const answer = await send({ do: 'create-channel', name: name.trim() });
    if (answer.ok) onClose();
    else setRefusal(answer.message);
  };
  return (
    <Dialog title="New channel" onClose={onClose}>
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <TextField
          className="body field"
          value={name}
          onChange={setName}
          isInvalid={refusal !== null}
          validationBehavior="aria"
        >
          <Label>Name</Label>
          <Input placeholder="alerts" />
          <FieldError className="field-error">{refusal}</FieldError>
        </TextField>
        <footer>
          <Button type="submit" className="primary">
            Create
          </Button>
        </footer>
      </Form>
    </Dialog>
  );
}
