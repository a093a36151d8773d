import { describeFailure } from '../failure.ts';

/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** The check's detail is what `look` answers, or why it threw. */
export async function runCheck(name: string, look: () => Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, detail: await look() };
  } catch (error) {
    return { name, ok: false, detail: describeFailure(error).message };
  }
}
