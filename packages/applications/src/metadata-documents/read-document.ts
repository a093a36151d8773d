/** Client ID metadata documents as settings of an application (draft-ietf-oauth-client-id-metadata-document §4). */
import type { NameRules } from '@linnet/accounts/names/name-rules';
import { identityScopes, isScope } from '@linnet/contract/scopes';
import type { Queryable } from '@linnet/db/statement/transaction';
import { checkApplicationName } from '../application/application-name.ts';
import type { ApplicationType } from '../application/application-type.ts';
import { ApplicationRefused, findNameProblem } from '../application/application.ts';
import type { Links } from '../application/links.ts';
import { MetadataRefused, parseClientMetadata } from '../self-registration/client-metadata.ts';
import { requireSelfRegistrable } from '../self-registration/self-registrable.ts';
import { parseSettings } from '../settings/settings.ts';
import type { ParsedSettings } from '../settings/settings.ts';

/** A client as its document describes it. */
export interface DocumentedClient {
  readonly type: ApplicationType;
  readonly settings: ParsedSettings;
  readonly links: Links;
}

type Document = Readonly<Record<string, unknown>>;

const withoutSecret = new Set<unknown>(['none', 'private_key_jwt']);

/**
 * Reads the document at the URL, under the rules of registrations. https addresses of another origin are left out, because
 * people read the host of the URL and trust it (§8.1).
 * @throws MetadataRefused
 * @throws ApplicationRefused for settings that are not valid for any application
 */
export function readMetadataDocument(clientUrl: string, document: unknown): DocumentedClient {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new MetadataRefused('It must be a JSON object.');
  }
  const given = Object.fromEntries(Object.entries(document).filter(([, value]) => value !== null));
  if (given['client_id'] !== clientUrl) throw new MetadataRefused('client_id must be the URL of the document.');
  requireNoSecret(given);
  const { type, settings, links } = parseClientMetadata(toRegistration(clientUrl, given));
  const parsed = parseSettings(settings, type);
  requireSelfRegistrable(parsed);
  return { type, settings: parsed, links };
}

/** §4.1: everyone can read the document, so it cannot establish a shared secret. */
function requireNoSecret(document: Document): void {
  if ('client_secret' in document || 'client_secret_expires_at' in document) {
    throw new MetadataRefused('client_secret must not be used.');
  }
  const { token_endpoint_auth_method: method = 'none' } = document;
  if (!withoutSecret.has(method)) {
    throw new MetadataRefused('token_endpoint_auth_method must be none or private_key_jwt.');
  }
}

/** The document as metadata of a dynamic registration (RFC 7591). */
function toRegistration(clientUrl: string, document: Document): Document {
  const { redirect_uris: listed, post_logout_redirect_uris: afterLogout } = document;
  const { client_name: name, application_type: applicationType } = document;
  const isOwn = (uri: string) => !uri.startsWith('https:') || URL.parse(uri)?.origin === new URL(clientUrl).origin;
  const redirectUris = keep(listed, isOwn);
  if (Array.isArray(listed) && listed.length > 0 && Array.isArray(redirectUris) && redirectUris.length === 0) {
    throw new MetadataRefused('redirect_uris needs one with the origin of client_id, or one on the person’s device.');
  }
  return {
    ...document,
    client_name: typeof name === 'string' && findNameProblem(name.trim()) === undefined ? name : toHostName(clientUrl),
    token_endpoint_auth_method: document['token_endpoint_auth_method'] ?? 'none',
    application_type: applicationType ?? (isAnyOnDevice(redirectUris) ? 'native' : 'web'),
    scope: limitOf(document),
    redirect_uris: redirectUris,
    post_logout_redirect_uris: keep(afterLogout, isOwn),
  };
}

/**
 * A document is for all services. If it names only scopes of others, or those that say who somebody is, it was not written
 * for this one: its client learns from the API what it needs, like one without `scope`.
 */
function limitOf({ scope }: Document): unknown {
  return typeof scope !== 'string' || scope.split(' ').some(isOfThisApi) ? scope : undefined;
}

function isOfThisApi(scope: string): boolean {
  return isScope(scope) && !identityScopes.includes(scope);
}

/** The items of a list that are kept. Whatever else is given stays, so that the reader of metadata refuses it. */
function keep(given: unknown, isKept: (item: string) => boolean): unknown {
  return Array.isArray(given) ? given.filter((item) => typeof item !== 'string' || isKept(item)) : given;
}

function isAnyOnDevice(uris: unknown): boolean {
  return Array.isArray(uris) && uris.some((uri) => typeof uri === 'string' && !uri.startsWith('https:'));
}

const maxNameLength = 60;

/** What people see if the document has no acceptable name. The end of a host says whose it is. */
export function toHostName(clientUrl: string): string {
  const { host } = new URL(clientUrl);
  return host.length <= maxNameLength ? host : `…${host.slice(1 - maxNameLength)}`;
}

interface NameChoice {
  readonly requested: string;
  /** The stored one. */
  readonly known: string | undefined;
  readonly rules: NameRules;
}

/** Nobody can correct a document for this service alone, so a name that is refused here gives way to the host. */
export async function chooseName(
  tx: Queryable,
  clientUrl: string,
  { requested, known, rules }: NameChoice,
): Promise<string> {
  const host = toHostName(clientUrl);
  if (requested === known || requested === host) return requested;
  try {
    await checkApplicationName(tx, { name: requested, ownerId: null }, { ...rules, isNamedByOwner: true });
    return requested;
  } catch (error) {
    if (!(error instanceof ApplicationRefused)) throw error;
    return host;
  }
}
