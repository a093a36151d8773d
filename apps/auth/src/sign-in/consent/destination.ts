/** The host in ASCII, so that no letter can look like another; the scheme if there is no host (native applications). */
export function destinationOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return ['https:', 'http:'].includes(protocol) ? host : protocol.slice(0, -1);
}
