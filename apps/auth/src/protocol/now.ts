/** Seconds since 1970, the unit of times in JWTs. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
