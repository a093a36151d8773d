/** Fetches the keys that applications publish at their `jwks_uri`. */
import { fetchPublicDocument } from '@linnet/media/fetch/public-document';
import type { Configuration } from 'oidc-provider';

import { createFetchRules } from './fetch-rules.ts';
import type { FetchRulesOptions } from './fetch-rules.ts';

type Fetch = NonNullable<Configuration['fetch']>;

const limits = { maxBytes: 65_536, connectMs: 2500, headersMs: 2500, totalMs: 2500 };
/** How long a failed fetch is not repeated, so that anonymous requests cannot make this server send a flood of its own. */
const failureMs = 5000;

/** Fetches the keys of an application under the rules of `createFetchRules`; no redirects, 2.5 s, 64 KB. */
export function createKeyFetch(options: FetchRulesOptions): Fetch {
  const rulesFor = createFetchRules(options);
  let failures: readonly { readonly address: string; readonly until: number }[] = [];
  const attempt = async (url: URL): Promise<Response> => {
    const accept = 'application/json, application/jwk-set+json';
    const request = { address: url.href, accept, userAgent: 'Linnet', limits, rules: rulesFor(url) };
    // Without headers: they could make the provider cache the keys for any time.
    return new Response((await fetchPublicDocument(request)).toString());
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
