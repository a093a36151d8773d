/** What a browser says it is, for the person who used it; a hint and no proof. */
export interface Browser {
  readonly browser: string;
  readonly system?: string;
}

// The first that fits: most browsers name others besides themselves.
const browsers = [
  ['Edge', /\bEdgA?\/|\bEdgiOS\//],
  ['Opera', /\bOPR\/|\bOPiOS\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\bFirefox\/|\bFxiOS\//],
  ['Chrome', /\bChrome\/|\bCriOS\/|\bHeadlessChrome\//],
  ['Safari', /\bVersion\/.*\bSafari\//],
] as const;

const systems = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\biPhone\b|\biPad\b|\biPod\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** The browser and system of a User-Agent header; undefined when it names no browser that people use. */
export function findBrowser(userAgent: string): Browser | undefined {
  const browser = nameOf(browsers, userAgent);
  const system = nameOf(systems, userAgent);
  if (browser === undefined) return undefined;
  return system === undefined ? { browser } : { browser, system };
}

function nameOf(list: readonly (readonly [string, RegExp])[], userAgent: string): string | undefined {
  return list.find(([, pattern]) => pattern.test(userAgent))?.[0];
}
