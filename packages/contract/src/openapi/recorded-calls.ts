/** A call of the API with the response that the service gave. Ids, times and names of files are stable. */
export interface RecordedCall {
  readonly title: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly response: unknown;
}

/** Recorded by `pnpm openapi` from a running service at `recordedAt`. */
export interface RecordedExamples {
  /** By operation id; the first is the one that the reference shows. */
  readonly calls: Readonly<Record<string, readonly RecordedCall[]>>;
  /** The body of a problem by its code. */
  readonly problems: Readonly<Record<string, unknown>>;
}

/** The address of the service that was recorded (RFC 2606). */
export const recordedAt = 'https://linnet.example';
