import { Argument, type Command } from 'commander';
import { addExamples } from '../examples.ts';
import { SCRIPTS } from '../shell-scripts.ts';

/** Declares `completion`. The scripts' requests, `completion --words ...`, are handled before flags are read. */
export function declare(command: Command): void {
  command.addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(Object.keys(SCRIPTS)));
  addExamples(command, [
    ['completion bash > ~/.local/share/bash-completion/completions/sandbox-emulator', 'for each new bash'],
    ['completion zsh > ~/.zfunc/_sandbox-emulator', 'for zsh, where ~/.zfunc is in fpath before compinit'],
    ['completion fish > ~/.config/fish/completions/sandbox-emulator.fish', 'for fish'],
  ]);
  command.action((shell: keyof typeof SCRIPTS) => {
    process.stdout.write(SCRIPTS[shell]);
  });
}
