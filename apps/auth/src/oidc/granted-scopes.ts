/** The words of a grant as the provider keeps them, apart for OpenID Connect and for each resource. */
interface GrantPayload {
  readonly openid?: { readonly scope?: string | undefined } | undefined;
  readonly resources?: Readonly<Record<string, string>> | undefined;
}

/** Every scope of a grant, each once. */
export function grantedScopes({ openid, resources }: GrantPayload): readonly string[] {
  const words = [openid?.scope ?? '', ...Object.values(resources ?? {})].flatMap((scope) => scope.split(' '));
  return [...new Set(words.filter((word) => word !== ''))];
}
