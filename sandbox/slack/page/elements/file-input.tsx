import { type ReactNode, useState } from 'react';
import { Button, FileTrigger, Input, InputContext, TextField } from 'react-aria-components';
import { z } from 'zod';
import type { Json } from '../../page-protocol.ts';
import { postFile } from '../wire.ts';
import { useWorkspace } from '../workspace.ts';
import { Framed, useField } from './field.tsx';
import { type Placed, useValue } from './placed.ts';

const files = z.array(z.looseObject({ name: z.string() })).catch([]);

/** Slack's default number. */
const defaultMaxFiles = 10;

/** A field for files. They are uploaded when they are chosen, and the bot gets them with the form. */
export function FileInput(placed: Placed<'file_input'>): ReactNode {
  const { filetypes = [], max_files: most = defaultMaxFiles } = placed.element;
  const { me } = useWorkspace().snapshot;
  const [value, change] = useValue(placed);
  const [problem, setProblem] = useState<string | null>(null);
  const chosen = files.parse(value);
  const add = async (added: readonly File[]) => {
    const answers = await Promise.all(added.slice(0, most - chosen.length).map((file) => postFile(me.id, file)));
    const refused = answers.find((answer) => !answer.ok);
    setProblem(refused === undefined ? null : refused.message);
    change([...chosen, ...answers.flatMap((answer): Json[] => (answer.ok ? [answer.file] : []))]);
  };
  return (
    <TextField {...useField(placed, 'Files')} isReadOnly value={chosen.map(({ name }) => name).join(', ')}>
      <Framed>
        <div className="combobox">
          <Input placeholder="No file yet" />
          {chosen.length > 0 && (
            <Button className="icon" aria-label="Take the files away" onPress={() => change([])}>
              ✕
            </Button>
          )}
          {/* The file trigger's hidden input isn't the input of the field around it. */}
          <InputContext value={null}>
            <FileTrigger
              allowsMultiple={most > 1}
              acceptedFileTypes={filetypes.map((type) => `.${type}`)}
              onSelect={(list) => void add([...(list ?? [])])}
            >
              <Button isDisabled={chosen.length >= most}>Choose</Button>
            </FileTrigger>
          </InputContext>
        </div>
        {problem !== null && (
          <p className="field-error" role="alert">
            {problem}
          </p>
        )}
      </Framed>
    </TextField>
  );
}
