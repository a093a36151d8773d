/** The calls of the API that the playground offers, as the rows of the contract have them. */
import { routesByName } from '@linnet/contract/routes';
import type { Route } from '@linnet/contract/route';
import { effectiveScopes } from '@linnet/contract/scopes';
import { z } from 'zod';

export interface Parameter {
  readonly name: string;
  /** In English, as in the reference of the API. */
  readonly description: string;
  readonly isRequired: boolean;
  readonly kind: 'text' | 'number' | 'flag';
}

export interface Call {
  readonly route: Route;
  /** POST where there is a choice: an address keeps what is in it, in logs and histories. */
  readonly method: 'GET' | 'POST';
  readonly parameters: readonly Parameter[];
  /** Parameters with only one value. */
  readonly fixed: Readonly<Record<string, string>>;
}

const propertySchema = z.looseObject({
  description: z.string().default(''),
  const: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  anyOf: z.array(z.looseObject({ type: z.string().optional() })).default([]),
});
const inputSchema = z.looseObject({
  properties: z.record(z.string(), propertySchema).default({}),
  required: z.array(z.string()).default([]),
});

let known: readonly Call[] | undefined;

/** All but those that take a password: none belongs into a form that shows what it sent. */
export function allCalls(): readonly Call[] {
  known ??= Object.values(routesByName)
    .map(toCall)
    .filter(({ parameters }) => parameters.every(({ name }) => name !== 'password'))
    .toSorted((a, b) => (a.route.path < b.route.path ? -1 : 1));
  return known;
}

export function findCall(id: unknown): Call | undefined {
  return allCalls().find(({ route }) => route.id === id);
}

function toCall(route: Route): Call {
  const { properties, required } = inputSchema.parse(
    z.toJSONSchema(route.input, { io: 'input', unrepresentable: 'any' }),
  );
  const all = Object.entries(properties);
  return {
    route,
    method: route.methods.includes('POST') ? 'POST' : 'GET',
    parameters: all.flatMap(([name, property]) => {
      if (property.const !== undefined) return [];
      const { description } = property;
      return [{ name, description, isRequired: required.includes(name), kind: kindOf(property) }];
    }),
    fixed: Object.fromEntries(all.flatMap(([name, { const: value }]) => (value === undefined ? [] : [[name, value]]))),
  };
}

function kindOf({ type = [], anyOf }: z.infer<typeof propertySchema>): Parameter['kind'] {
  const types = new Set([type, ...anyOf.map((one) => one.type ?? [])].flat());
  if (types.has('boolean')) return 'flag';
  return types.has('integer') || types.has('number') ? 'number' : 'text';
}

/** Whether a token with these scopes may make the call. */
export function isPermitted({ route: { scope } }: Call, granted: string): boolean {
  return scope === null || effectiveScopes(granted.split(' ')).has(scope);
}

/** The first call that says something without anything typed. */
export function firstCall(granted: string): Call | undefined {
  const usual = ['users-show', 'feed', 'media-list'].map(findCall);
  return [...usual, ...allCalls()].find((call) => call !== undefined && isPermitted(call, granted));
}

/** What was typed, as JSON has it: numbers and yes or no by their kind; what is blank is left out. */
export function typedValues(
  { parameters }: Call,
  typed: Readonly<Record<string, string>>,
): Readonly<Record<string, string | number | boolean>> {
  const given = parameters.flatMap(({ name, kind }) => {
    const text = typed[name] ?? '';
    return text === '' ? [] : [[name, toValue(kind, text)] as const];
  });
  return Object.fromEntries(given);
}

/** What is no number goes as it was typed: the API says what is wrong with it. */
function toValue(kind: Parameter['kind'], text: string): string | number | boolean {
  if (kind === 'flag' && (text === 'true' || text === 'false')) return text === 'true';
  const isExact = kind === 'number' && /^(?:0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text));
  return isExact ? Number(text) : text;
}
