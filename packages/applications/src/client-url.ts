/** Client ids that are the URL of a metadata document (draft-ietf-oauth-client-id-metadata-document §3). */
const maxLength = 256;
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);
/** An address in place of a name; the URL parser has normalized unusual forms such as `0x7f.1`. */
const ipAddress = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/;

/**
 * Whether the text is such a URL: https, in normal form, up to 256 characters, with a host name and without port, user
 * information, dot segments and fragment. On a loopback host it may use http and any port; that is for services that
 * run on a loopback address, too.
 */
export function isClientUrl(text: string): boolean {
  if (text.length > maxLength || !/^https?:\/\/[!-~]+$/.test(text)) return false;
  const url = URL.parse(text);
  // The parser removes dot segments and default ports, and encodes what must not be there.
  if (url?.href !== text || text.includes('#') || url.username !== '' || url.password !== '') return false;
  return loopbackHosts.has(url.hostname) || isPublicAddress(url);
}

function isPublicAddress({ protocol, port, hostname }: URL): boolean {
  return protocol === 'https:' && port === '' && !ipAddress.test(hostname);
}

/** The host of a client id that is a URL, for people; undefined for other client ids. */
export function findClientHost(clientId: string): string | undefined {
  return isClientUrl(clientId) ? new URL(clientId).host : undefined;
}
