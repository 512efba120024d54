/** A link as it is in a message, and the app's domain that it matches. */
export interface DomainLink {
  readonly url: string;
  readonly domain: string;
}

const LINK = /<(?<url>https?:\/\/[^|>]+)/g;

/** Returns the links in a message's text whose host is one of the domains or a subdomain. */
export function linksIn(text: string, domains: readonly string[]): readonly DomainLink[] {
  return [...text.matchAll(LINK)].flatMap(({ groups: { url = '' } = {} }) => {
    const domain = URL.canParse(url) ? domainOf(new URL(url).hostname, domains) : undefined;
    return domain === undefined ? [] : [{ url, domain }];
  });
}

function domainOf(host: string, domains: readonly string[]): string | undefined {
  return domains.find((domain) => host === domain || host.endsWith(`.${domain}`));
}
