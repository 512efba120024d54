import type { ReactNode } from 'react';
import { safeLink } from '../text/safe-link.ts';

/** A picture from elsewhere, or its description where its address is none that a message may use. */
export function Picture({ url, alt }: { readonly url: string | undefined; readonly alt: string }): ReactNode {
  const src = safeLink(url ?? '');
  return src === null ? alt : <img src={src} alt={alt} referrerPolicy="no-referrer" loading="lazy" />;
}
