/** The variables of logs, metrics and traces. */
import { z } from 'zod';

import { hostVariable, integer } from './environment.ts';
import { toTracing, tracingVariables } from './tracing/tracing-variables.ts';
import type { TracingSettings } from './tracing/tracing-variables.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** LOG_LEVEL */
const logLevelVariable = z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info');

/** LOG_SAMPLE: the share of successful requests that are logged. */
const logSampleVariable = z
  .string()
  .regex(/^(?:[01]|[01]?\.\d{1,6})$/, { error: shareError() })
  .transform(Number)
  .refine((share) => share <= 1, { error: shareError() })
  .default(1);

function shareError(): string {
  return 'must be a number between 0 and 1, such as 0.1';
}

/** How a process can be observed. */
export interface Observation {
  readonly logLevel: LogLevel;
  /** The share of successful requests that are logged. */
  readonly logSample: number;
  /** The port of /metrics, where 0 is a free one; undefined: no metrics. */
  readonly managementPort: number | undefined;
  readonly managementHost: string;
  /** Undefined: no traces. */
  readonly tracing: TracingSettings | undefined;
}

export const observationVariables = {
  LOG_LEVEL: logLevelVariable,
  LOG_SAMPLE: logSampleVariable,
  MANAGEMENT_PORT: integer(0, 65_535, 'a port number between 1 and 65535').optional(),
  MANAGEMENT_HOST: hostVariable,
  ...tracingVariables,
};

/** The parsed `observationVariables`. */
export function toObservation(variables: z.output<z.ZodObject<typeof observationVariables>>): Observation {
  return {
    logLevel: variables.LOG_LEVEL,
    logSample: variables.LOG_SAMPLE,
    managementPort: variables.MANAGEMENT_PORT,
    managementHost: variables.MANAGEMENT_HOST,
    tracing: toTracing(variables),
  };
}
