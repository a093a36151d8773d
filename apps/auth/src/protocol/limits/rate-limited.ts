import { errors } from 'oidc-provider';

/**
 * A request above a rate limit. RFC 6749 defines `temporarily_unavailable` for authorization requests; other endpoints
 * use it with 429. At the authorization endpoint it is shown as a page, because a redirect would count as success.
 */
export class RateLimited extends errors.OIDCProviderError {
  override readonly name = 'RateLimited';
  override allow_redirect = false;

  constructor() {
    super(429, 'temporarily_unavailable');
    this.error_description = rateLimitedDescription;
  }
}

export const rateLimitedDescription = 'too many requests; wait as many seconds as Retry-After says, then try again';
