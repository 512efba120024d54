import type { ReactNode } from 'react';

/** Shows the error of the person's last act. */
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
