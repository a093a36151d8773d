/** The words of a grant as the provider keeps them, apart for OpenID Connect and for each resource. */
interface GrantPayload {
  readonly openid?: { readonly scope?: string | undefined } | undefined;
  readonly resources?: Readonly<Record<string, string>> | undefined;
}

/** The same without the words that were taken away since. */
export function narrowTo<Payload extends GrantPayload>(payload: Payload, scopes: readonly string[]): Payload {
  const { openid, resources } = payload;
  const keep = (words: string) => {
    const kept = words.split(' ').filter((word) => scopes.includes(word));
    return kept.join(' ');
  };
  return {
    ...payload,
    ...(openid?.scope === undefined ? {} : { openid: { ...openid, scope: keep(openid.scope) } }),
    ...(resources === undefined
      ? {}
      : { resources: Object.fromEntries(Object.entries(resources).map(([name, words]) => [name, keep(words)])) }),
  };
}

/** Every scope of a grant, each once. */
export function grantedScopes({ openid, resources }: GrantPayload): readonly string[] {
  const words = [openid?.scope ?? '', ...Object.values(resources ?? {})].flatMap((scope) => scope.split(' '));
  return [...new Set(words.filter((word) => word !== ''))];
}
