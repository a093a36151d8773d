/**
 * Runs `act`, one run at a time: any number of calls during a run lead to one more run after it. A failure is no news, because the
 * next run may succeed.
 */
export function coalesce(act: () => Promise<void>): () => void {
  let isRunning = false;
  let isWanted = false;
  const run = async () => {
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      await act().catch(() => undefined);
    }
    isRunning = false;
  };
  return () => {
    isWanted = true;
    if (!isRunning) void run();
  };
}
