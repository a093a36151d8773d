/** What may be fetched on behalf of an application: its keys, and its metadata document. */
import type { DocumentRequest } from '@linnet/media/fetch/public-document';

/** Resolves a host name to its IP addresses. */
type Resolve = (hostname: string) => Promise<readonly string[]>;

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);
/** The only port of a public server. With a free choice, an application could find out which ports are open. */
const httpsPort = 443;

export interface FetchRulesOptions {
  readonly baseUrl: string;
  /** Replaces the name servers in tests. */
  readonly resolve?: Resolve | undefined;
}

/**
 * The rules of uploads by URL, and: https and port 443 only. If BASE_URL is a loopback address, the URL may be on a loopback
 * address too, on any port and over http. MEDIA_FETCH_ALLOW does not apply. The returned function throws a TypeError for
 * another scheme.
 */
export function createFetchRules({ baseUrl, resolve }: FetchRulesOptions): (url: URL) => DocumentRequest['rules'] {
  const base = new URL(baseUrl);
  const isLocalService = base.protocol === 'http:' && loopbackHosts.has(base.hostname);
  return (url) => {
    const isLocal = isLocalService && loopbackHosts.has(url.hostname);
    if (url.protocol !== 'https:' && !isLocal) throw new TypeError('the address must begin with https');
    const port = url.port === '' ? defaultPorts[url.protocol] : url.port;
    const allow = isLocal ? [`${url.hostname}:${String(port)}`] : [];
    return { ...(resolve === undefined ? {} : { resolve }), allow, ports: [httpsPort] };
  };
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
