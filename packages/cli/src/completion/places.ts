import { Help } from 'commander';
import type { Command } from 'commander';

/** A word that can be typed, and what it does. */
export interface Word {
  readonly word: string;
  readonly summary: string;
}

export interface CompletedOption extends Word {
  /** Its values, if there are only these. */
  readonly values: readonly string[];
  readonly takesValue: boolean;
}

/** A command, and what can follow it. */
export interface Place {
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
