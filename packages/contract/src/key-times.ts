/** How long each state of a signing key lasts. Both servers and every client that caches the keys rely on it. */

/** How long clients may cache the published keys (Cache-Control of /oauth/jwks). */
export const jwksCacheSeconds = 300;

/** How long a key is published before it signs: the longest cache of common libraries, some of which look at no header. */
export const publishedSeconds = 900;

/** How long a retired key stays published: longest token lifetime, cache time, and five minutes for clock skew. */
export const retiredSeconds = 3600 + jwksCacheSeconds + 300;
