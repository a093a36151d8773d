/** A run of the playground: the state between its steps. It is stored encrypted. */
import { z } from 'zod';

/** Placeholders for secrets wherever a request is shown. */
const variables = [
  'CLIENT_SECRET',
  'CLIENT_ASSERTION',
  'CODE',
  'CODE_VERIFIER',
  'ACCESS_TOKEN',
  'REFRESH_TOKEN',
  'ID_TOKEN',
] as const;

export type Variable = (typeof variables)[number];

const valueSchema = z.union([z.string(), z.object({ variable: z.enum(variables) })]);
const pairsSchema = z.array(z.tuple([z.string(), valueSchema]));

/** A request of an application, without its secrets. */
const requestSchema = z.object({
  method: z.enum(['GET', 'POST']),
  /** Without the origin. */
  path: z.string(),
  query: z.array(z.tuple([z.string(), z.string()])),
  /** Authorization header: the secret of this client, the access token, or none. */
  proof: z.union([z.object({ basic: z.string() }), z.literal('bearer'), z.null()]),
  idempotencyKey: z.string().optional(),
  form: pairsSchema.optional(),
  json: z.record(z.string(), z.unknown()).optional(),
});

const answerSchema = z.union([
  z.object({
    status: z.int(),
    headers: z.array(z.tuple([z.string(), z.string()])),
    body: z.string(),
    /** The body was longer. */
    isCut: z.boolean(),
  }),
  /** Parameters of the authorization response. */
  z.object({ callback: z.array(z.tuple([z.string(), valueSchema])) }),
  /** There was no response. */
  z.object({ failure: z.enum(['unreachable', 'timed-out', 'redirected']) }),
]);

const exchangeSchema = z.object({
  number: z.int(),
  kind: z.enum(['authorize', 'token', 'refresh', 'revoke', 'call']),
  at: z.number(),
  request: requestSchema,
  answer: answerSchema,
  /** The API endpoint, and the parameters as typed. */
  call: z.object({ id: z.string(), typed: z.record(z.string(), z.string()) }).optional(),
});

const runSchema = z.object({
  flow: z.enum(['person', 'application']),
  /** The username of the test person as whom it runs. */
  testPerson: z.string().optional(),
  /** Separated by spaces. */
  scope: z.string(),
  authentication: z.enum(['secret', 'keys', 'none']),
  secret: z.string().optional(),
  /** Set if the playground created the secret. */
  madeSecretEndsAt: z.number().optional(),
  /** Until the authorization response arrives. */
  state: z.string().optional(),
  verifier: z.string(),
  /** Until it is exchanged. */
  code: z.string().optional(),
  tokens: z
    .object({
      access: z.string(),
      refresh: z.string().optional(),
      id: z.string().optional(),
      scope: z.string(),
    })
    .optional(),
  /** Ids of form submissions that were carried out. */
  marks: z.array(z.string()),
  /** Newest first. */
  exchanges: z.array(exchangeSchema),
});

export type Value = z.infer<typeof valueSchema>;
export type PlaygroundRequest = z.infer<typeof requestSchema>;
export type PlaygroundAnswer = z.infer<typeof answerSchema>;
export type Exchange = z.infer<typeof exchangeSchema>;
export type RunContent = z.infer<typeof runSchema>;

/** Returns undefined for content that does not parse. */
export function parseRun(text: string): RunContent | undefined {
  return runSchema.safeParse(JSON.parse(text)).data;
}

const maxExchanges = 10;
const maxMarks = 20;

export function withExchange(run: RunContent, exchange: Omit<Exchange, 'number' | 'at'>): RunContent {
  const number = (run.exchanges[0]?.number ?? 0) + 1;
  return { ...run, exchanges: [{ ...exchange, number, at: Date.now() }, ...run.exchanges].slice(0, maxExchanges) };
}

/** Records a form submission. Returns undefined if it was carried out before. */
export function withSubmission(run: RunContent, mark: string): RunContent | undefined {
  return run.marks.includes(mark) ? undefined : { ...run, marks: [mark, ...run.marks].slice(0, maxMarks) };
}
