/** A run of the playground: what its steps leave to one another. All of it is kept sealed. */
import { z } from 'zod';

/** What stands for a secret wherever a request is shown; programs read it from a variable of that name. */
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
  /** Below the origin of the service. */
  path: z.string(),
  query: z.array(z.tuple([z.string(), z.string()])),
  /** How it proves who sends it: the secret of this application, the access token, or nothing in the header. */
  proof: z.union([z.object({ basic: z.string() }), z.literal('bearer'), z.null()]),
  /** Makes a write safe to repeat. */
  idempotencyKey: z.string().optional(),
  form: pairsSchema.optional(),
  json: z.record(z.string(), z.unknown()).optional(),
});

const answerSchema = z.union([
  z.object({
    status: z.int(),
    headers: z.array(z.tuple([z.string(), z.string()])),
    body: z.string(),
    /** There was more of it. */
    isCut: z.boolean(),
  }),
  /** Where the browser came back to, as parameters. */
  z.object({ callback: z.array(z.tuple([z.string(), valueSchema])) }),
  /** There was no answer to read. */
  z.object({ failure: z.enum(['unreachable', 'timed-out', 'redirected']) }),
]);

const exchangeSchema = z.object({
  number: z.int(),
  kind: z.enum(['authorize', 'token', 'refresh', 'revoke', 'call']),
  at: z.number(),
  request: requestSchema,
  answer: answerSchema,
  /** The call of the API, and what was typed for it. */
  call: z.object({ id: z.string(), typed: z.record(z.string(), z.string()) }).optional(),
});

const runSchema = z.object({
  flow: z.enum(['person', 'application']),
  /** Separated by spaces. */
  scope: z.string(),
  authentication: z.enum(['secret', 'keys', 'none']),
  secret: z.string().optional(),
  /** Of a secret that the playground had made. */
  madeSecretEndsAt: z.number().optional(),
  /** Until the browser came back with it. */
  state: z.string().optional(),
  verifier: z.string(),
  /** Until it was exchanged. */
  code: z.string().optional(),
  tokens: z
    .object({
      access: z.string(),
      refresh: z.string().optional(),
      id: z.string().optional(),
      scope: z.string(),
    })
    .optional(),
  /** Of forms that were carried out. */
  marks: z.array(z.string()),
  /** The newest first. */
  exchanges: z.array(exchangeSchema),
});

export type Value = z.infer<typeof valueSchema>;
export type PlaygroundRequest = z.infer<typeof requestSchema>;
export type PlaygroundAnswer = z.infer<typeof answerSchema>;
export type Exchange = z.infer<typeof exchangeSchema>;
export type RunContent = z.infer<typeof runSchema>;

/** Undefined for what another version of this program wrote. */
export function parseRun(text: string): RunContent | undefined {
  return runSchema.safeParse(JSON.parse(text)).data;
}

const maxExchanges = 10;
const maxMarks = 20;

/** The run with another exchange. */
export function withExchange(run: RunContent, exchange: Omit<Exchange, 'number' | 'at'>): RunContent {
  const number = (run.exchanges[0]?.number ?? 0) + 1;
  return { ...run, exchanges: [{ ...exchange, number, at: Date.now() }, ...run.exchanges].slice(0, maxExchanges) };
}

/** The run that remembers a form; undefined when that was carried out before. */
export function withMark(run: RunContent, mark: string): RunContent | undefined {
  return run.marks.includes(mark) ? undefined : { ...run, marks: [mark, ...run.marks].slice(0, maxMarks) };
}
