/** The steps of the playground as TypeScript code that uses `@linnet/sdk`. */
import { callNameOf } from '@linnet/contract/call-name';

import { inertJson } from './format-request.ts';
import { findCall, typedValues } from './calls.ts';
import type { Call } from './calls.ts';
import type { Exchange, RunContent } from './run.ts';

export interface SampleOf {
  readonly baseUrl: string;
  readonly clientId: string;
  /** A registered one; the playground's own works only for the playground. */
  readonly redirectUri: string;
  readonly run: Pick<RunContent, 'flow' | 'scope' | 'authentication'>;
}

/** Returns undefined if the SDK has no equivalent: it does not support applications with keys. */
export function asTypeScript(sample: SampleOf, step: Pick<Exchange, 'kind' | 'call'>): string | undefined {
  if (step.kind === 'call') return callSample(sample, step.call);
  if (sample.run.authentication === 'keys') return undefined;
  if (sample.run.flow === 'application') return clientCredentialsSample(sample);
  switch (step.kind) {
    case 'authorize':
      return signInSample(sample);
    case 'token':
      return exchangeSample(sample);
    case 'refresh':
    case 'revoke':
      return storedTokensSample(sample, step.kind);
  }
}

const literal = (text: string): string => inertJson(text);

function applicationOf({ baseUrl, clientId, run }: SampleOf): string {
  const secret = run.authentication === 'secret' ? '\n  clientSecret: process.env.CLIENT_SECRET,' : '';
  return `const application = createApplication({
  issuer: ${literal(baseUrl)},
  clientId: ${literal(clientId)},${secret}
});`;
}

function signInSample(sample: SampleOf): string {
  return `import { createApplication } from '@linnet/sdk';

${applicationOf(sample)}
const { url, attempt } = await application.beginSignIn({
  redirectUri: ${literal(sample.redirectUri)},
  scope: ${literal(sample.run.scope)},
});
// Keep attempt in the session of this browser and redirect the browser to url.
console.log(url.href, attempt.state);
`;
}

function exchangeSample(sample: SampleOf): string {
  return `import { createApplication, memoryStore } from '@linnet/sdk';
import type { SignInAttempt } from '@linnet/sdk';

${applicationOf(sample)}
/** callback is the URL that the browser was redirected to; attempt comes from its session. */
export async function finish(callback: string, attempt: SignInAttempt) {
  const store = memoryStore(await application.finishSignIn(callback, attempt));
  return application.asPerson(store);
}
`;
}

function storedTokensSample(sample: SampleOf, kind: 'refresh' | 'revoke'): string {
  const body =
    kind === 'refresh'
      ? `/** Refreshes the tokens automatically before they expire. */
export function signedIn(store: TokenStore) {
  return application.asPerson(store);
}`
      : `export async function signOut(store: TokenStore) {
  await application.signOut(store);
}`;
  return `import { createApplication } from '@linnet/sdk';
import type { TokenStore } from '@linnet/sdk';

${applicationOf(sample)}
${body}
`;
}

function clientCredentialsSample(sample: SampleOf): string {
  return `import { createApplication } from '@linnet/sdk';

${applicationOf(sample)}
// Requests a token with the first API request, and a new one before it expires.
const linnet = application.asItself({ scope: ${literal(sample.run.scope)} });
console.log(Object.keys(linnet));
`;
}

function literalOf(value: string | number | boolean): string {
  return typeof value === 'string' ? literal(value) : String(value);
}

/** Values that are separated by commas, as a list. */
function listOf(call: Call, name: string, text: string): string {
  const values = text.split(',').flatMap((one) => Object.values(typedValues(call, { [name]: one })));
  return `[${values.map(literalOf).join(', ')}]`;
}

function callSample({ baseUrl }: SampleOf, called: Exchange['call']): string | undefined {
  const call = findCall(called?.id);
  if (call === undefined || called === undefined) return undefined;
  const [noun, verb] = callNameOf(call.route);
  const lists = new Set(call.parameters.flatMap(({ name, isList }) => (isList ? [name] : [])));
  const values = Object.entries(typedValues(call, called.typed)).map(
    ([name, value]) => `${name}: ${lists.has(name) ? listOf(call, name, String(value)) : literalOf(value)}`,
  );
  const given = values.length === 0 ? '' : `{ ${values.join(', ')} }`;
  return `import { createLinnet } from '@linnet/sdk';

const linnet = createLinnet({
  issuer: ${literal(baseUrl)},
  token: process.env.ACCESS_TOKEN ?? '',
});
console.log(await linnet.${noun}.${verb}(${given}));
`;
}
