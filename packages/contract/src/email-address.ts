/** Of an HTML e-mail field. */
const local = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+$/i;
/** The names of at least two levels, of which the last one has a letter (RFC 1123 §2.1). */
const host =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[^.]*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const ascii = /^[\0-\u007F]*$/;
/** No URL has so long a name, and reading one takes time. */
const maxLength = 254;

/**
 * An e-mail address as it is stored: an international domain in its ASCII form (RFC 5890), so that one mailbox has one spelling.
 * `undefined`: it is none, or too long.
 */
export function toEmailAddress(text: string): string | undefined {
  const at = text.lastIndexOf('@');
  if (text.length > maxLength || !local.test(text.slice(0, Math.max(at, 0)))) return undefined;
  const domain = toAsciiDomain(text.slice(at + 1));
  const address = `${text.slice(0, at)}@${domain ?? ''}`;
  return domain !== undefined && host.test(domain) && address.length <= maxLength ? address : undefined;
}

function toAsciiDomain(domain: string): string | undefined {
  if (ascii.test(domain)) return domain;
  // Nothing that a URL reads as more than a host.
  return /[\s/?#\\:@%[\]]/u.test(domain) ? undefined : URL.parse(`http://${domain}`)?.hostname;
}
