/** Links to pages of an application, shown to people. */
export const linkNames = ['website', 'terms', 'privacy'] as const;

type LinkName = (typeof linkNames)[number];

export type Links = Readonly<Record<LinkName, string | undefined>>;

/** Links as typed in the form. */
export type TypedLinks = Readonly<Record<LinkName, string>>;

export type LinkProblems = Readonly<Partial<Record<LinkName, 'bad-address' | 'too-long'>>>;

type Parsed =
  | { readonly links: Links; readonly problems?: undefined }
  | { readonly links?: undefined; readonly problems: LinkProblems };

const maxLength = 2048;

/** The normalized links, or every problem. Links must be http or https and without username. Blank means none. */
export function parseLinks(typed: TypedLinks): Parsed {
  const problems = Object.fromEntries(
    linkNames.flatMap((name) => {
      const problem = findProblem(typed[name].trim());
      return problem === undefined ? [] : [[name, problem]];
    }),
  );
  if (Object.keys(problems).length > 0) return { problems };
  const linkOf = (name: LinkName) => URL.parse(typed[name].trim())?.href;
  return { links: { website: linkOf('website'), terms: linkOf('terms'), privacy: linkOf('privacy') } };
}

function findProblem(text: string): 'bad-address' | 'too-long' | undefined {
  if (text === '') return undefined;
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return 'bad-address';
  if (url.username !== '' || url.password !== '') return 'bad-address';
  return url.href.length > maxLength ? 'too-long' : undefined;
}
