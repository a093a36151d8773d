/** Reads the text of `/metrics`. */
export async function readMetrics(url: string): Promise<string> {
  return await (await fetch(url)).text();
}

/** The value of a series, written as in the text; NaN if it is missing. */
export function valueOf(text: string, series: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? Number.NaN);
}
