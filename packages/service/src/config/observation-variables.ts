/** The variables of logs, metrics and traces. */

import { z } from 'zod';

import { hostVariable, integer } from './environment.ts';

/**
 * The variables of OpenTelemetry that Linnet reads itself. The exporter reads the others from the environment:
 * OTEL_EXPORTER_OTLP_ENDPOINT, _HEADERS, _TIMEOUT, _COMPRESSION, also with _TRACES, OTEL_SERVICE_NAME and
 * OTEL_RESOURCE_ATTRIBUTES.
 */
const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

type SamplerName = (typeof samplers)[number];

/** How traces are sent. */
export interface TracingSettings {
  readonly sampler: SamplerName;
  /** For `traceidratio`, from 0 to 1. */
  readonly ratio: number;
  /** Milliseconds between two exports. */
  readonly scheduleDelayMs: number;
}

export const tracingVariables = {
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none'], { error: 'must be otlp or none' }).default('otlp'),
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint(),
  OTEL_TRACES_SAMPLER: z
    .enum(samplers, { error: `must be one of ${samplers.join(', ')}` })
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/, { error: 'must be a number between 0 and 1, such as 0.1' })
    .transform(Number)
    .default(1),
  OTEL_BSP_SCHEDULE_DELAY: z
    .string()
    .regex(/^\d{1,6}$/, { error: 'must be a number of milliseconds' })
    .transform(Number)
    .default(5000),
};

/** Undefined if traces are off: without an endpoint, or if they are switched off. */
export function toTracing(variables: z.output<z.ZodObject<typeof tracingVariables>>): TracingSettings | undefined {
  const endpoints = [variables.OTEL_EXPORTER_OTLP_ENDPOINT, variables.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT];
  const isOff = variables.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || variables.OTEL_TRACES_EXPORTER === 'none';
  if (isOff || endpoints.every((one) => one === undefined)) return undefined;
  return {
    sampler: variables.OTEL_TRACES_SAMPLER,
    ratio: variables.OTEL_TRACES_SAMPLER_ARG,
    scheduleDelayMs: variables.OTEL_BSP_SCHEDULE_DELAY,
  };
}

function endpoint() {
  return z.url({ protocol: /^https?$/, error: 'must be an http(s) URL such as http://localhost:4318' }).optional();
}

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
