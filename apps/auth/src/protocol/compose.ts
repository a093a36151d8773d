import type Koa from 'koa';

/** Runs middleware in order as one. */
export function compose(steps: readonly Koa.Middleware[]): Koa.Middleware {
  return (ctx, next) => {
    const run = (index: number): Promise<unknown> => {
      const step = steps[index];
      return Promise.resolve(step === undefined ? next() : step(ctx, () => run(index + 1)));
    };
    return run(0);
  };
}
