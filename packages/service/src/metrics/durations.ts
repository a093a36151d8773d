import { Histogram } from 'prom-client';
import type { HistogramConfiguration } from 'prom-client';

/** Durations under one value of the label, in plain numbers: adding one costs some nanoseconds. */
class Durations {
  /** One for each bound, not cumulative, and one above the last bound. */
  readonly counts: Float64Array;
  sum = 0;
  readonly #bounds: readonly number[];

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  add(seconds: number): void {
    let index = 0;
    while (index < this.#bounds.length && seconds > (this.#bounds[index] ?? 0)) index += 1;
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.sum += seconds;
  }
}

type Configuration = Pick<HistogramConfiguration<string>, 'name' | 'help' | 'registers'> & {
  /** The only label. Its values come from the code, never from requests. */
  readonly label: string;
  /** Upper bounds in seconds, ascending. */
  readonly bounds: readonly number[];
};

/** A histogram of prom-client whose numbers are kept in arrays until they are read. */
export class DurationHistogram extends Histogram {
  readonly #label: string;
  readonly #name: string;
  readonly #bounds: readonly number[];
  readonly #durations = new Map<string, Durations>();

  constructor({ label, bounds, ...configuration }: Configuration) {
    super({ ...configuration, labelNames: [label], buckets: [...bounds] });
    this.#label = label;
    this.#name = configuration.name;
    this.#bounds = bounds;
  }

  /** The values of the label. */
  values(): Iterable<string> {
    return this.#durations.keys();
  }

  add(value: string, seconds: number): void {
    let durations = this.#durations.get(value);
    if (durations === undefined) {
      durations = new Durations(this.#bounds);
      this.#durations.set(value, durations);
    }
    durations.add(seconds);
  }

  override async get(): ReturnType<Histogram['get']> {
    const values = [...this.#durations].flatMap(([value, durations]) => this.#toValues(value, durations));
    return { ...(await super.get()), values };
  }

  /** As the text format wants them: cumulative buckets, the sum and the count. */
  #toValues(value: string, { counts, sum }: Durations) {
    const labels = { [this.#label]: value };
    let count = 0;
    const buckets = [...counts].map((own, index) => {
      count += own;
      return {
        metricName: `${this.#name}_bucket`,
        labels: { ...labels, le: this.#bounds[index] ?? '+Inf' },
        value: count,
      };
    });
    return [
      ...buckets,
      { metricName: `${this.#name}_sum`, labels, value: sum },
      { metricName: `${this.#name}_count`, labels, value: count },
    ];
  }
}
