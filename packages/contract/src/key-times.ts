/** How long each state of a signing key lasts: both servers and everybody who keeps the published keys live by it. */

/** How long others may keep the published keys (Cache-Control of /oauth/jwks): no key signs before. */
export const jwksCacheSeconds = 300;

/** A retired key is published this long: the longest lifetime of a token, the cache, and five minutes for late clocks. */
export const retiredSeconds = 3600 + jwksCacheSeconds + 300;
