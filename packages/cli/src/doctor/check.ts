import { describeFailure } from '../failure.ts';

/** The result of one check. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** Works, but the operator should look at it. */
  readonly warning?: true;
}

/** Runs `check`. The detail is what it returns, or the reason why it threw. */
export async function runCheck(name: string, check: () => Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, detail: await check() };
  } catch (error) {
    return { name, ok: false, detail: describeFailure(error).message };
  }
}
