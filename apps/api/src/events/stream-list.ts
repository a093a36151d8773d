import type { OpenStream, StreamOptions } from './open-stream.ts';

/** The open streams of a process. */
export interface StreamList extends Iterable<OpenStream> {
  readonly size: number;
  add(stream: OpenStream): void;
  remove(stream: OpenStream): void;
  /** Those of an account. */
  of(accountId: number): readonly OpenStream[];
  /** Each account with a stream once; the same list until it changes. */
  accounts(): readonly number[];
  /** Why another stream may not be opened. */
  findRefusal(options: Pick<StreamOptions, 'accountId' | 'clientId'>): Refusal | undefined;
}

export type Refusal = 'person' | 'application' | 'process';

/** Open streams in a process. 10,000 take 90 to 110 MiB (docs/performance.md). */
export const streamLimits: Readonly<Record<Refusal, number>> = { person: 10, application: 10_000, process: 20_000 };

export function createStreamList(limits: Readonly<Record<Refusal, number>> = streamLimits): StreamList {
  const all = new Set<OpenStream>();
  const byAccount = new Map<number, OpenStream[]>();
  const byApplication = new Map<string, number>();
  let accounts: readonly number[] | undefined;
  const ofAccount = (accountId: number) => byAccount.get(accountId) ?? [];

  return {
    get size() {
      return all.size;
    },
    [Symbol.iterator]: () => all[Symbol.iterator](),
    add: (stream) => {
      const { accountId, clientId } = stream.options;
      all.add(stream);
      const own = byAccount.get(accountId);
      if (own === undefined) accounts = undefined;
      byAccount.set(accountId, [...(own ?? []), stream]);
      byApplication.set(clientId, (byApplication.get(clientId) ?? 0) + 1);
    },
    remove: (stream) => {
      const { accountId, clientId } = stream.options;
      if (!all.delete(stream)) return;
      const others = ofAccount(accountId).filter((one) => one !== stream);
      if (others.length > 0) byAccount.set(accountId, others);
      else if (byAccount.delete(accountId)) accounts = undefined;
      const left = (byApplication.get(clientId) ?? 1) - 1;
      if (left > 0) byApplication.set(clientId, left);
      else byApplication.delete(clientId);
    },
    of: ofAccount,
    accounts: () => (accounts ??= [...byAccount.keys()]),
    findRefusal: ({ accountId, clientId }) => {
      const ofPerson = ofAccount(accountId).filter(({ options }) => options.clientId === clientId).length;
      if (ofPerson >= limits.person) return 'person';
      if ((byApplication.get(clientId) ?? 0) >= limits.application) return 'application';
      return all.size >= limits.process ? 'process' : undefined;
    },
  };
}
