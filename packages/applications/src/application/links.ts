/** Links to pages of an application, shown to people. */
export const linkNames = ['website', 'terms', 'privacy'] as const;

type LinkName = (typeof linkNames)[number];

export type Links = Readonly<Record<LinkName, string | undefined>>;

/** Links as typed in the form. */
export type TypedLinks = Readonly<Record<LinkName, string>>;

export type LinkProblems = Readonly<Partial<Record<LinkName, 'bad-address' | 'too-long'>>>;

type Parsed =
  | { readonly links: Links; readonly problems?: undefined }
  | { readonly links?: undefined; readonly problems: LinkProblems };

const maxLength = 2048;

/** The normalized links, or every problem. Links must be http or https and without username. Blank means none. */
export function parseLinks(typed: TypedLinks): Parsed {
  const problems = Object.fromEntries(
    linkNames.flatMap((name) => {
      const problem = findProblem(typed[name].trim());
      return problem === undefined ? [] : [[name, problem]];
    }),
  );
  if (Object.keys(problems).length > 0) return { problems };
  const linkOf = (name: LinkName) => URL.parse(typed[name].trim())?.href;
  return { links: { website: linkOf('website'), terms: linkOf('terms'), privacy: linkOf('privacy') } };
}

function findProblem(text: string): 'bad-address' | 'too-long' | undefined {
  if (text === '') return undefined;
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return 'bad-address';
  if (url.username !== '' || url.password !== '') return 'bad-address';
  return url.href.length > maxLength ? 'too-long' : undefined;
}

/**
 * Private-use URI schemes of native applications (RFC 8252 §7.1). A reversed domain name (`com.example.app:`) belongs to
 * its registrant. A plain word (`cursor://`) belongs to nobody: any application on the device can claim it, so it gets
 * a warning.
 */

/** Schemes that browsers or operating systems handle themselves; a redirect to one would never reach an application. */
const reservedSchemes: ReadonlySet<string> = new Set(
  `about acap afp android-app blob bolo callto cap chrome chrome-extension cid content data dav dict dns edge
   facetime fax feed file filesystem finger fish ftp ftps geo git gopher h323 http https iax icap im imap info
   intent ipp irc ircs itms jar javascript jms ldap ldaps livescript mailto market mid mms moz-extension
   ms-appinstaller ms-settings msrp mtqp mvn news nfs nntp opaquelocktoken php pop pres prospero res resource rsync
   rtmp rtsp search search-ms sftp shell shttp sip sips sms smb snmp soap ssh steam stun svn tag tel
   telnet tftp turn urn vbscript view-source vnc wais ws wss xmpp`.split(/\s+/),
);

const schemeWithDot = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/;
const plainScheme = /^[a-z][a-z0-9+-]*:$/;

/** Whether `protocol`, such as `com.example.app:`, is a reversed domain name. */
export function isReversedDomain(protocol: string): boolean {
  return schemeWithDot.test(protocol);
}

/** Whether browsers or operating systems handle the scheme themselves, such as `javascript:` or `ms-settings:`. */
export function isReservedScheme(protocol: string): boolean {
  return reservedSchemes.has(protocol.slice(0, -1)) || /^(?:ms-|x-apple|web\+|microsoft)/.test(protocol);
}

/** A private-use scheme that is a plain word, such as `cursor:`. */
export function isPlainScheme(protocol: string): boolean {
  return plainScheme.test(protocol) && !isReservedScheme(protocol);
}

/** The redirect URIs whose scheme any application on the device can claim. */
export function findUnclaimedSchemes(redirectUris: readonly string[]): readonly string[] {
  return redirectUris.filter((uri) => isPlainScheme(/^([^:]*:)\/\/[^/?#]/.exec(uri)?.[1] ?? ''));
}
