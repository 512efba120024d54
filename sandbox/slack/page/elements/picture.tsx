import type { ReactNode } from 'react';
import { safeLink } from '../text/safe-link.ts';

/** Shows an external image, or its description if messages can't use its URL. */
export function Picture({ url, alt }: { readonly url: string | undefined; readonly alt: string }): ReactNode {
  const src = safeLink(url ?? '');
  return src === null ? alt : <img src={src} alt={alt} referrerPolicy="no-referrer" loading="lazy" />;
}
