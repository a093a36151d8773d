/** `linnet completion` */
import { Argument } from 'commander';
import type { Command } from 'commander';

import { listPlaces, toBash, toFish, toZsh } from '../completion/scripts.ts';

const scripts = { bash: toBash, zsh: toZsh, fish: toFish } as const;

type Shell = keyof typeof scripts;

/** Object.keys returns string[]. */
const shells = Object.keys(scripts) as readonly Shell[];

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText('after', installation)
    .allowExcessArguments(false)
    .action((shell: Shell) => {
      process.stdout.write(scripts[shell](listPlaces(program)));
    });
}

const installation = `
Install:
  bash  linnet completion bash > ~/.local/share/bash-completion/completions/linnet
  zsh   linnet completion zsh > "\${fpath[1]}/_linnet"
  fish  linnet completion fish > ~/.config/fish/completions/linnet.fish`;
