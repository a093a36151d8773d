/** Completion scripts. They are complete in themselves: pressing Tab starts no process. */
import { Help } from 'commander';
import type { Command } from 'commander';

/** A text as one word of a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const nameOf = ({ path }: Place) => path.join(' ');

/** Patterns of `case` for every command; `$at` is the command so far. */
function commandPatterns(places: readonly Place[]): string {
  return places
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => quote([path.slice(0, -1).join(' '), path.at(-1)].join(' ')))
    .join('|');
}

interface ValuedOption {
  readonly place: Place;
  readonly option: CompletedOption;
}

function valuedOptions(places: readonly Place[]): readonly ValuedOption[] {
  return places.flatMap((place) =>
    place.options.filter(({ takesValue }) => takesValue).map((option) => ({ place, option })),
  );
}

/** Everything that can follow a command. */
function wordsOf(place: Place): readonly string[] {
  return [...place.commands.map(({ word }) => word), ...place.values, ...place.options.map(({ word }) => word)];
}

export function toBash(places: readonly Place[]): string {
  return `# bash completion of linnet
_linnet() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" at='' word list=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
      ${commandPatterns(places)}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at $previous" in
${valuedOptions(places)
  .map(
    ({ place, option }) =>
      `    ${quote(`${nameOf(place)} ${option.word}`)}) list=${quote(option.values.join(' '))} ;;\n`,
  )
  .join('')}    *)
      case "$at" in
${places.map((place) => `        ${quote(nameOf(place))}) list=${quote(wordsOf(place).join(' '))} ;;\n`).join('')}      esac ;;
  esac
  COMPREPLY=($(compgen -W "$list" -- "$current"))
}
complete -o default -F _linnet linnet
`;
}

/** For `_describe`: a colon separates the word from its summary. */
function describe(words: readonly Word[]): string {
  return words.map(({ word, summary }) => quote(`${word.replaceAll(':', '\\:')}:${summary}`)).join(' ');
}

export function toZsh(places: readonly Place[]): string {
  return `#compdef linnet
_linnet() {
  local at='' previous="\${words[CURRENT-1]}" word
  local -a commands options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      ${commandPatterns(places)}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at $previous" in
${valuedOptions(places)
  .map(({ place, option: { word, values } }) => {
    const offer = values.length === 0 ? '_files' : `compadd -- ${values.map(quote).join(' ')}`;
    return `    ${quote(`${nameOf(place)} ${word}`)}) ${offer}; return ;;\n`;
  })
  .join('')}  esac
  case "$at" in
${places
  .map((place) => {
    const commands = [...place.commands, ...place.values.map((word) => ({ word, summary: word }))];
    return `    ${quote(nameOf(place))})\n      commands=(${describe(commands)})\n      options=(${describe(place.options)}) ;;\n`;
  })
  .join('')}  esac
  (( $#commands )) && _describe command commands
  _describe -o option options
}
if [[ \${funcstack[1]} == _linnet ]]; then _linnet "$@"; else compdef _linnet linnet; fi
`;
}

export function toFish(places: readonly Place[]): string {
  const lines = places.flatMap((place) => {
    const condition = `-n ${quote(`__linnet_is_at ${place.path.join(' ')}`.trim())}`;
    const words = [...place.commands, ...place.values.map((word) => ({ word, summary: '' }))];
    return [
      ...words.map(
        ({ word, summary }) => `complete -c linnet -f ${condition} -a ${quoteForFish(word)}${note(summary)}`,
      ),
      ...place.options.map(
        (option) =>
          `complete -c linnet ${condition} -l ${option.word.replace(/^--/, '')}${valueForFish(option)}${note(option.summary)}`,
      ),
    ];
  });
  const commands = places.filter(({ path }) => path.length > 0).map((place) => quoteForFish(nameOf(place)));
  return `# fish completion of linnet
function __linnet_is_at
    set -l at
    for word in (commandline -opc)[2..-1]
        contains -- (string join -- ' ' $at $word) ${commands.join(' ')}; and set -a at $word
    end
    test "$at" = "$argv"
end
${lines.join('\n')}
`;
}

function valueForFish({ values, takesValue }: CompletedOption): string {
  if (values.length > 0) return ` -xa ${quoteForFish(values.join(' '))}`;
  return takesValue ? ' -r' : '';
}

function note(summary: string): string {
  return summary === '' ? '' : ` -d ${quoteForFish(summary)}`;
}

/** In single quotes, fish knows two escapes. */
function quoteForFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** A word that can be typed, and what it does. */
interface Word {
  readonly word: string;
  readonly summary: string;
}

interface CompletedOption extends Word {
  /** Its values, if there are only these. */
  readonly values: readonly string[];
  readonly takesValue: boolean;
}

/** A command, and what can follow it. */
interface Place {
  /** Empty for the program itself, such as `['user', 'list']` otherwise. */
  readonly path: readonly string[];
  readonly commands: readonly Word[];
  /** What the first argument may be, if it is one of these. */
  readonly values: readonly string[];
  readonly options: readonly CompletedOption[];
}

/** Every command with its options, read from the program itself. */
export function listPlaces(program: Command): readonly Place[] {
  return placesOf(program, []);
}

function placesOf(command: Command, path: readonly string[]): readonly Place[] {
  const help = new Help();
  const commands = help.visibleCommands(command).filter((one) => one.name() !== 'help');
  const options = help.visibleOptions(command).map(({ long, description, argChoices = [], required, optional }) => ({
    word: long ?? '',
    summary: description,
    values: argChoices,
    takesValue: required || optional,
  }));
  const place: Place = {
    path,
    commands: commands.map((one) => ({ word: one.name(), summary: one.description() })),
    values: command.registeredArguments[0]?.argChoices ?? [],
    options: options.filter(({ word }) => word !== ''),
  };
  return [place, ...commands.flatMap((one) => placesOf(one, [...path, one.name()]))];
}
