import type { ReactNode } from 'react';

/** What went wrong with the last thing the person did. */
export function TroubleNote({
  children,
  onDismiss,
}: {
  readonly children: ReactNode;
  readonly onDismiss: () => void;
}): ReactNode {
  return (
    <div className="trouble" role="alert">
      <span>⚠️ {children}</span>
      <button type="button" className="icon" aria-label="Dismiss" onClick={onDismiss}>
        ✕
      </button>
    </div>
  );
}
