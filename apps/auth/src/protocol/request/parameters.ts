/** Runs our steps on the parameters of each request as soon as the provider has decoded them. */
import { errors } from 'oidc-provider';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';

/** The provider's types omit `ctx`. */
type OidcContext = KoaContextWithOIDC['oidc'] & { readonly ctx: KoaContextWithOIDC };

/** May change the parameters, or throw an error of the provider to refuse the request. */
export type ParameterStep = (context: OidcContext, parameters: Record<string, unknown>) => void;

const parametersOf = new WeakMap<object, object>();

/** The provider sets `params` at every endpoint, from the query or the form, before it uses any of them. */
export function interceptParameters(provider: Provider, steps: readonly ParameterStep[]): void {
  Object.defineProperty(provider.OIDCContext.prototype, 'params', {
    configurable: true,
    get(this: object) {
      return parametersOf.get(this);
    },
    set(this: OidcContext, parameters: Record<string, unknown>) {
      // First, because the provider's handling of an error reads them.
      parametersOf.set(this, parameters);
      for (const step of steps) step(this, parameters);
    },
  });
}

/** Lists of names, which are separated by blanks. */
const lists = ['scope', 'prompt', 'response_type'];

/**
 * Several blanks are as good as one: between the names of a list, and behind the authentication scheme (RFC 9110 §11.4,
 * which says so of the latter).
 */
export const joinBlanks: ParameterStep = ({ ctx }, parameters) => {
  const { headers } = ctx.req;
  if (headers.authorization !== undefined) headers.authorization = headers.authorization.replace(/ {2,}/, ' ');
  for (const name of lists) {
    const list = parameters[name];
    if (typeof list !== 'string') continue;
    const names = list.split(' ').filter((each) => each !== '');
    parameters[name] = names.length === 0 ? undefined : names.join(' ');
  }
};

/** Bytes of UTF-8. */
const maxBytes = 2048;

/** JWTs grow with their claims. None is stored; only the limits of the body and of the headers bound them. */
const unboundedParameters = new Set(['client_assertion', 'id_token_hint', 'token']);

/**
 * U+0000 cannot be stored in PostgreSQL. U+FFFD is what the provider's decoder makes of bytes that are not UTF-8,
 * such as an encoded lone surrogate. No parameter of OAuth may contain either (RFC 6749 appendix A).
 */
const unsuitableCharacters = ['\u0000', '\uFFFD'];

/**
 * Refuses parameters that cannot be stored or are too long, before anything is looked up or stored. Parameters that
 * the endpoint does not know must be storable too, but may have any length, because they are ignored (RFC 6749 §3.1).
 */
export const refuseUnsuitableParameters: ParameterStep = ({ ctx, body }, parameters) => {
  for (const [name, value] of [ctx.query, body ?? {}, parameters].flatMap(listTexts)) {
    if (isUnsuitable(name) || isUnsuitable(value)) throw new ParameterRefused('a parameter is not valid text');
  }
  const { claims } = parameters;
  if (typeof claims === 'string' && hidesUnsuitable(claims)) throw new ParameterRefused('claims is not valid text');
  // The provider would send this error to the redirect URI, if exactly one is registered.
  if (Array.isArray(parameters['redirect_uri'])) throw new ParameterRefused('redirect_uri must not be repeated');
  for (const [name, value] of listTexts(parameters)) {
    if (isTooLong(name, value)) {
      throw new ParameterRefused(`${name} must not exceed ${String(maxBytes)} bytes`);
    }
  }
};

/** Whether the value of a parameter is longer than it may be. */
export function isTooLong(name: string, value: string): boolean {
  return !unboundedParameters.has(name) && Buffer.byteLength(value) > maxBytes;
}

/** Whether text contains what no parameter may contain. */
export function isUnsuitable(text: string): boolean {
  return !text.isWellFormed() || unsuitableCharacters.some((character) => text.includes(character));
}

/** Whether an escape of JSON stands for what no parameter may contain. Something else than JSON is refused elsewhere. */
function hidesUnsuitable(json: string): boolean {
  let isHidden = false;
  try {
    JSON.parse(json, (name, value: unknown) => {
      isHidden ||= isUnsuitable(name) || (typeof value === 'string' && isUnsuitable(value));
      return value;
    });
  } catch {
    return false;
  }
  return isHidden;
}

/** Repeated parameters have a list of values. */
function listTexts(parameters: object): readonly (readonly [name: string, value: string])[] {
  return Object.entries(parameters).flatMap(([name, given]: [string, unknown]) =>
    [given].flat().flatMap((value) => (typeof value === 'string' ? [[name, value] as const] : [])),
  );
}

/** Shown as a page at the authorization endpoint, because a redirect would repeat the refused `state`. */
class ParameterRefused extends errors.InvalidRequest {
  override allow_redirect = false;
}
