/** Fetches the keys that applications publish at their `jwks_uri`. */
import { fetchPublicDocument } from '@linnet/media/public-document';
import type { Configuration } from 'oidc-provider';

type Fetch = NonNullable<Configuration['fetch']>;
/** Resolves a host name to its IP addresses. */
type Resolve = (hostname: string) => Promise<readonly string[]>;

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);
/** The only port of a public server. With a free choice, an application could find out which ports are open. */
const httpsPort = 443;
const limits = { maxBytes: 65_536, connectMs: 2500, headersMs: 2500, totalMs: 2500 };
/** How long a failed fetch is not repeated, so that anonymous requests cannot make this server send a flood of its own. */
const failureMs = 5000;

interface KeyFetchOptions {
  readonly baseUrl: string;
  /** Replaces the name servers in tests. */
  readonly resolve?: Resolve;
}

/**
 * Fetches the keys of an application under the rules of uploads by URL: https and port 443 only, addresses that are
 * public, checked before a connection is made; no redirects, 2.5 s, 64 KB. MEDIA_FETCH_ALLOW does not apply. If
 * BASE_URL is a loopback address, keys may be on a loopback address too, on any port and over http.
 */
export function createKeyFetch({ baseUrl, ...given }: KeyFetchOptions): Fetch {
  const base = new URL(baseUrl);
  const isLocalService = base.protocol === 'http:' && loopbackHosts.has(base.hostname);
  let failures: readonly { readonly address: string; readonly until: number }[] = [];
  const attempt = async (url: URL): Promise<Response> => {
    const isLocal = isLocalService && loopbackHosts.has(url.hostname);
    if (url.protocol !== 'https:' && !isLocal) throw new TypeError('keys are fetched over https only');
    const port = url.port === '' ? '80' : url.port;
    const rules = { ...given, allow: isLocal ? [`${url.hostname}:${port}`] : [], ports: [httpsPort] };
    const accept = 'application/json, application/jwk-set+json';
    const document = await fetchPublicDocument({ address: url.href, accept, userAgent: 'Linnet', limits, rules });
    // Without headers: they could make the provider cache the keys for any time.
    return new Response(document.toString());
  };
  return async (input) => {
    const url = new URL(input instanceof Request ? input.url : input);
    failures = failures.filter(({ until }) => until > Date.now());
    if (failures.some((failure) => failure.address === url.href)) throw new TypeError('the last fetch just failed');
    try {
      return await attempt(url);
    } catch (error) {
      failures = [...failures, { address: url.href, until: Date.now() + failureMs }];
      throw error;
    }
  };
}
