/** The endpoints of the API that the playground offers, from the rows of the contract. */
import { routesByName } from '@linnet/contract/routes';
import type { Route } from '@linnet/contract/route';
import { effectiveScopes } from '@linnet/contract/scopes';
import { z } from 'zod';

export interface Parameter {
  readonly name: string;
  /** In English, as in the API reference. */
  readonly description: string;
  readonly isRequired: boolean;
  readonly kind: 'text' | 'number' | 'flag';
  /** Whether it is a list of such values, separated by commas. */
  readonly isList: boolean;
  /** All values, if there are few; otherwise empty. */
  readonly choices: readonly string[];
}

export interface Call {
  readonly route: Route;
  /** POST if the endpoint supports it: URLs end up in logs and browser histories. */
  readonly method: 'GET' | 'POST';
  readonly parameters: readonly Parameter[];
  /** Parameters with only one value. */
  readonly fixed: Readonly<Record<string, string>>;
}

const propertySchema = z.looseObject({
  description: z.string().default(''),
  const: z.string().optional(),
  enum: z.array(z.string()).default([]),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  anyOf: z.array(z.looseObject({ type: z.string().optional() })).default([]),
});
const inputSchema = z.looseObject({
  properties: z.record(z.string(), propertySchema).default({}),
  required: z.array(z.string()).default([]),
});

let known: readonly Call[] | undefined;

/** Leaves out endpoints with a password, because the page shows what it sent. */
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
      const items = exampleOf(route, name);
      const isList = Array.isArray(items);
      const kind = isList ? kindOfItems(items) : kindOf(property);
      return [{ name, description, isRequired: required.includes(name), kind, isList, choices: property.enum }];
    }),
    fixed: Object.fromEntries(all.flatMap(([name, { const: value }]) => (value === undefined ? [] : [[name, value]]))),
  };
}

/** The first documented example of a parameter. That of a list is an array, whereas its schema is that of its text. */
function exampleOf({ input }: Route, name: string): unknown {
  const parameter: unknown = input instanceof z.ZodObject ? input.shape[name] : undefined;
  const documented: unknown = parameter instanceof z.ZodOptional ? parameter.unwrap() : parameter;
  if (!(documented instanceof z.ZodType)) return undefined;
  const { examples } = z.globalRegistry.get(documented) ?? {};
  return Array.isArray(examples) ? examples[0] : undefined;
}

function kindOfItems(items: readonly unknown[]): Parameter['kind'] {
  return typeof items[0] === 'number' ? 'number' : 'text';
}

function kindOf({ type = [], anyOf }: z.infer<typeof propertySchema>): Parameter['kind'] {
  const types = new Set([type, ...anyOf.map((one) => one.type ?? [])].flat());
  if (types.has('boolean')) return 'flag';
  return types.has('integer') || types.has('number') ? 'number' : 'text';
}

export function isPermitted({ route: { scope } }: Call, granted: string): boolean {
  return scope === null || effectiveScopes(granted.split(' ')).has(scope);
}

/** An endpoint that works without parameters. */
export function firstCall(granted: string): Call | undefined {
  const usual = ['users-show', 'feed', 'media-list'].map(findCall);
  return [...usual, ...allCalls()].find((call) => call !== undefined && isPermitted(call, granted));
}

/** Converts typed text to JSON values by the kind of the parameter. Leaves out empty text. */
export function typedValues(
  { parameters }: Call,
  typed: Readonly<Record<string, string>>,
): Readonly<Record<string, string | number | boolean>> {
  const values = parameters.flatMap(({ name, kind }) => {
    const text = typed[name] ?? '';
    return text === '' ? [] : [[name, toValue(kind, text)] as const];
  });
  return Object.fromEntries(values);
}

/** Text that is no number is sent as typed: the API explains the error. */
function toValue(kind: Parameter['kind'], text: string): string | number | boolean {
  if (kind === 'flag' && (text === 'true' || text === 'false')) return text === 'true';
  const isExact = kind === 'number' && /^(?:0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text));
  return isExact ? Number(text) : text;
}
