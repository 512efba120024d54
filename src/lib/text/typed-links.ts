import { ADDRESS_PASSES } from './addresses.ts';
import type { TextPass } from './mask.ts';
import { SECRET_PASSES } from './secrets.ts';

const WEB_ADDRESS =
  /(?<![a-z0-9+.-])https?:\/\/[^\s"'<>\\]+|(?<![\w./@:•-])(?:(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}|\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?\/[^\s"'<>\\]+/gi;
const PARTS = /^(https?:\/\/)?(?:[^/?#]*@)?([^/?#]*)([^?#]*)([?#]?)/i;
/** Whoever knows such a path can post, or reaches a person. */
const PRIVATE_PATH = /hook|\/bot\d|\/services\/|\/workflows\/|^(?:wa\.me|hc-ping\.com)\//i;

const SEGMENT_PASSES: readonly TextPass[] = [...ADDRESS_PASSES, ...SECRET_PASSES];

const HOLDERS = /\ue000(\d+)\ue001/g;
const HOLDER_SIGNS = /[\ue000\ue001]/g;

/** Masks what people type by `mask`, but for the host and path of web addresses. */
export function maskedAroundLinks(text: string, mask: TextPass): string {
  const links: string[] = [];
  const held = text.replace(HOLDER_SIGNS, '').replace(WEB_ADDRESS, (address) => {
    links.push(hostAndPath(address));
    return `\ue000${links.length - 1}\ue001`;
  });
  return mask(held).replace(HOLDERS, (_, index) => links[Number(index)] ?? '');
}

function hostAndPath(address: string): string {
  const [, scheme = '', host = '', path = '', more = ''] = PARTS.exec(address) ?? [];
  if (PRIVATE_PATH.test(host + path)) return `${scheme}${host}/…`;
  const segments = path.split('/').map((segment) => SEGMENT_PASSES.reduce((masked, pass) => pass(masked), segment));
  return `${scheme}${host}${segments.join('/')}${more === '' ? '' : `${more}…`}`;
}
