import type { ReactNode } from 'react';
import type { PostedFile } from '../page-protocol.ts';
import { formatSize } from './text/size.ts';
import { useWorkspace } from './workspace.ts';

/** Shows a message's files: name, size, and a download link; an image is displayed. */
export function Files({ files }: { readonly files: readonly PostedFile[] }): ReactNode {
  return files.map((file) => <FileView key={file.id} file={file} />);
}

function FileView({ file: { id, name, title, size, mimetype } }: { readonly file: PostedFile }): ReactNode {
  const { me } = useWorkspace().snapshot;
  const address = `/page/file?${new URLSearchParams({ as: me.id, id })}`;
  return (
    <figure className="file" data-file-id={id}>
      <figcaption>
        <span aria-hidden="true">📄</span>
        <a href={address} download={name}>
          {title}
        </a>
        <span className="quiet">
          {title !== name && `${name} · `}
          {formatSize(size)}
        </span>
      </figcaption>
      {mimetype.startsWith('image/') && <img src={address} alt={title} />}
    </figure>
  );
}
