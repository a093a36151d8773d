import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { Sampler } from '@opentelemetry/sdk-trace';

import type { TracingSettings } from './tracing-variables.ts';

/** The sampler that OTEL_TRACES_SAMPLER names. */
export function createSampler({ sampler, ratio }: Pick<TracingSettings, 'sampler' | 'ratio'>): Sampler {
  const name = sampler.replace('parentbased_', '');
  const root = createRootSampler(name, ratio);
  return name === sampler ? root : new ParentBasedSampler({ root });
}

function createRootSampler(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}
