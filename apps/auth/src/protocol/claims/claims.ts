import type { Queryable } from '@linnet/db/statement/transaction';
import { mediaPath } from '@linnet/media/media-address';
import { defaultAvatarPath } from '@linnet/social/account/account-view';
import { errors, interactionPolicy } from 'oidc-provider';
import type { Account, Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { z } from 'zod';

import { findActivePerson } from './person-store.ts';
import type { Person } from './person-store.ts';

/**
 * The request parameter `claims` (OpenID Connect Core §5.5). It never yields more than the granted scopes allow, and
 * ID tokens and userinfo contain everything that they allow. So all that is left to do is to check what it requires.
 */
const memberSchema = z
  .looseObject({ essential: z.boolean().optional(), values: z.array(z.unknown()).optional() })
  .nullable();
const subjectSchema = z.looseObject({ value: z.string().optional(), values: z.array(z.string()).optional() }).nullish();
const targetSchema = z.record(z.string(), memberSchema).and(z.looseObject({ sub: subjectSchema }));
const claimsSchema = z.object({ id_token: targetSchema.optional(), userinfo: targetSchema.optional() });

type AssertClaims = NonNullable<
  NonNullable<NonNullable<Configuration['features']>['claimsParameter']>['assertClaimsParameter']
>;

/** `acr` values, the weakest first: a password, two factors (REFEDS), and what cannot be phished (OpenID EAP). */
export const contextClasses = [
  'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport',
  'https://refeds.org/profile/mfa',
  'phr',
] as const;

/** The `acr` of a sign-in: a passkey is proof against phishing. */
export function contextClassOf(methods: readonly string[]): (typeof contextClasses)[number] {
  const [password, twoFactors, passkey] = contextClasses;
  if (methods.some((method) => method === 'hwk' || method === 'swk')) return passkey;
  return methods.includes('mfa') ? twoFactors : password;
}

/** The values of an essential `acr`; undefined: any is good enough. */
function listEssentialClasses(claims: z.infer<typeof claimsSchema> | undefined): readonly unknown[] | undefined {
  const acr = claims?.id_token?.['acr'];
  if (acr?.essential !== true || (acr['value'] === undefined && acr.values === undefined)) return undefined;
  return acr.values ?? [acr['value']];
}

/** Refuses malformed members, and an essential `acr` (§5.5.1.1) that no sign-in has. */
export const assertClaims: AssertClaims = async (_ctx, claims) => {
  const { data } = claimsSchema.safeParse(claims);
  if (data === undefined) {
    throw new errors.InvalidRequest(
      'members of claims.id_token and claims.userinfo must be null or objects with essential, value or values',
    );
  }
  const classes = listEssentialClasses(data);
  if (classes !== undefined && !contextClasses.some((one) => classes.includes(one))) {
    throw new errors.UnmetAuthenticationRequirements('none of the acr values is supported');
  }
  return await Promise.resolve();
};

const description = 'the requested subject is not signed in';

/**
 * A check for the prompt `login`: the person must be one of those that the request names as `sub`. The provider checks
 * only `value` in `id_token`.
 */
export function requireRequestedSubject(): interactionPolicy.Check {
  return new interactionPolicy.Check('requested_subject', description, 'login_required', ({ oidc }) =>
    isAnother(oidc) ? interactionPolicy.Check.REQUEST_PROMPT : interactionPolicy.Check.NO_NEED_TO_PROMPT,
  );
}

/**
 * A check for the prompt `login`, before those of the provider, which ask for an essential `acr`: a person who has just
 * signed in, but not well enough, is not asked again and again.
 */
export function requireRequestedClass(): interactionPolicy.Check {
  return new interactionPolicy.Check('requested_class', 'the requested acr was not reached', ({ oidc }) => {
    const classes = listEssentialClasses(claimsSchema.safeParse(oidc.claims).data);
    if (oidc.result?.login !== undefined && classes?.includes(oidc.acr) === false) {
      throw new errors.UnmetAuthenticationRequirements('the person signed in, but not with the requested acr');
    }
    return interactionPolicy.Check.NO_NEED_TO_PROMPT;
  });
}

function isAnother({ claims, session }: KoaContextWithOIDC['oidc']): boolean {
  const { data } = claimsSchema.safeParse(claims);
  const requested = [data?.id_token?.sub, data?.userinfo?.sub].flatMap((subject) => {
    const { value, values } = subject ?? {};
    return [...(value === undefined ? [] : [[value]]), ...(values === undefined ? [] : [values])];
  });
  return requested.some((subjects) => !subjects.includes(String(session?.accountId)));
}

/** Claims about a person (OpenID Connect Core §5.1), the same in ID tokens and userinfo. */

/**
 * The claims of each scope (OpenID Connect Core §5.4). All other scopes are for the API and have none.
 */
export const claimsOfScopes = {
  openid: ['sub', 'auth_time', 'acr', 'amr'],
  profile: [
    ...['name', 'given_name', 'family_name', 'preferred_username'],
    ...['picture', 'profile', 'locale', 'updated_at'],
  ],
  email: ['email', 'email_verified'],
} as const;

/** The scopes that have claims. */
export const identityScopes: readonly string[] = Object.keys(claimsOfScopes);

type PersonClaims = Readonly<Record<'sub', string>> & Readonly<Record<string, string | number | boolean>>;

/** Origins of addresses in claims. */
export interface ClaimOrigins {
  readonly baseUrl: string;
  /** The origin of public media: MEDIA_URL, or `baseUrl`. */
  readonly mediaUrl: string;
}

/** All claims about a person, without those of a sign-in. */
function toClaims(person: Person, { baseUrl, mediaUrl }: ClaimOrigins): PersonClaims {
  const { id, avatar, username } = person;
  return {
    sub: String(id),
    name: person.displayName,
    given_name: person.firstName,
    family_name: person.lastName,
    preferred_username: username,
    // The small rendition is public, also that of a protected account.
    picture: mediaUrl + (avatar === null ? defaultAvatarPath(id) : mediaPath('thumb', avatar)),
    profile: `${baseUrl}/@${username}`,
    locale: person.language,
    updated_at: person.updatedAt,
    email: person.email,
    email_verified: person.emailVerified,
  };
}

/** The claims that `scopes` allow. */
export function toGrantedClaims(person: Person, origins: ClaimOrigins, scopes: ReadonlySet<string>): PersonClaims {
  const all = toClaims(person, origins);
  const allowed = Object.entries(claimsOfScopes).flatMap(([scope, names]) => (scopes.has(scope) ? names : []));
  const granted = Object.entries(all).filter(([name]) => allowed.some((one) => one === name));
  return { sub: all.sub, ...Object.fromEntries(granted) };
}

/** Finds the account of a `sub` claim for the provider; undefined for a suspended or deleted one. */
export type FindSubject = (sub: string) => Promise<Account | undefined>;

/** The provider removes the claims that the scopes of a grant do not allow. */
export function createFindSubject(db: Queryable, origins: ClaimOrigins): FindSubject {
  return async (sub) => {
    if (!/^[1-9]\d{0,15}$/.test(sub)) return undefined;
    const person = await findActivePerson(db, Number(sub));
    return person && { accountId: sub, claims: () => toClaims(person, origins) };
  };
}
