/** What a strategy of Passport does with a request. */
interface Outcome<User> {
  /** Where it redirects the browser. */
  readonly address?: string;
  readonly user?: User;
}

interface Strategy {
  authenticate(request: never, options?: never): void;
}

/** Calls a strategy as Passport does. `session` is the application's session, which the strategy writes. */
export async function runStrategy<User>(
  strategy: Strategy,
  session: object,
  query: Readonly<Record<string, string>> = {},
): Promise<Outcome<User>> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome<User>>();
  const one = Object.assign(Object.create(strategy) as Strategy, {
    redirect: (address: string) => resolve({ address }),
    success: (user: User) => resolve({ user }),
    fail: (challenge: unknown) => reject(new Error(JSON.stringify(challenge))),
    error: reject,
  });
  // The members of the request that the strategies read.
  one.authenticate({ query, session, headers: {}, url: '/' } as never, {} as never);
  return await promise;
}
