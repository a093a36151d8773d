/** Seconds since 1970, as tokens tell the time. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
