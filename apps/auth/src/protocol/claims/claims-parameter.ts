/**
 * The request parameter `claims` (OpenID Connect Core §5.5). It never yields more than the granted scopes allow, and
 * ID tokens and userinfo contain everything that they allow. So all that is left to do is to check what it requires.
 */
import { errors, interactionPolicy } from 'oidc-provider';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { z } from 'zod';

const memberSchema = z
  .looseObject({ essential: z.boolean().optional(), values: z.array(z.unknown()).optional() })
  .nullable();
const subjectSchema = z.looseObject({ value: z.string().optional(), values: z.array(z.string()).optional() }).nullish();
const targetSchema = z.record(z.string(), memberSchema).and(z.looseObject({ sub: subjectSchema }));
const claimsSchema = z.object({ id_token: targetSchema.optional(), userinfo: targetSchema.optional() });

type AssertClaims = NonNullable<
  NonNullable<NonNullable<Configuration['features']>['claimsParameter']>['assertClaimsParameter']
>;

/** Refuses malformed members, and an essential `acr` (§5.5.1.1), because there is none. */
export const assertClaims: AssertClaims = async (_ctx, claims) => {
  const { data } = claimsSchema.safeParse(claims);
  if (data === undefined) {
    throw new errors.InvalidRequest(
      'members of claims.id_token and claims.userinfo must be null or objects with essential, value or values',
    );
  }
  const acr = data.id_token?.['acr'];
  if (acr?.essential === true && (acr['value'] !== undefined || acr.values !== undefined)) {
    throw new errors.UnmetAuthenticationRequirements('no acr value is supported');
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

function isAnother({ claims, session }: KoaContextWithOIDC['oidc']): boolean {
  const { data } = claimsSchema.safeParse(claims);
  const requested = [data?.id_token?.sub, data?.userinfo?.sub].flatMap((subject) => {
    const { value, values } = subject ?? {};
    return [...(value === undefined ? [] : [[value]]), ...(values === undefined ? [] : [values])];
  });
  return requested.some((subjects) => !subjects.includes(String(session?.accountId)));
}
