/**
 * The variables of OpenTelemetry that Linnet reads itself. The exporter reads the others from the environment:
 * OTEL_EXPORTER_OTLP_ENDPOINT, _HEADERS, _TIMEOUT, _COMPRESSION, also with _TRACES, OTEL_SERVICE_NAME and
 * OTEL_RESOURCE_ATTRIBUTES.
 */
import { z } from 'zod';

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
