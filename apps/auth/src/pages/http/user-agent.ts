/** Browser and system as claimed by the User-Agent header: a hint for the account's owner, not proof. */
export interface Browser {
  readonly browser: string;
  readonly system?: string;
}

// First match wins: most browsers also name others.
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

/** Parses a User-Agent header. Undefined if it names no known browser. */
export function findBrowser(userAgent: string): Browser | undefined {
  const browser = nameOf(browsers, userAgent);
  const system = nameOf(systems, userAgent);
  if (browser === undefined) return undefined;
  return system === undefined ? { browser } : { browser, system };
}

function nameOf(list: readonly (readonly [string, RegExp])[], userAgent: string): string | undefined {
  return list.find(([, pattern]) => pattern.test(userAgent))?.[0];
}
