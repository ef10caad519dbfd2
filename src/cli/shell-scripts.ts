/**
 * The scripts by which shells complete the command line. Each calls `sandbox-emulator completion --words <words up to
 * the cursor>`, which prints a value and its description per line, with a tab between them.
 */
export const SCRIPTS = {
  bash: `# bash completion of sandbox-emulator
_sandbox_emulator() {
  local command=\${COMP_WORDS[0]/#\\~/$HOME} rest=$COMP_LINE word value file i
  local -a words=()
  # Bash splits words at : and =, too; here they are put together again.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if ((i == 0)) || [[ $rest == [[:space:]]* ]]; then
      words+=("$word")
      rest=\${rest#"\${rest%%[![:space:]]*}"}
    else
      words[\${#words[@]} - 1]+=$word
    fi
    rest=\${rest#"$word"}
  done
  local cur=\${words[\${#words[@]} - 1]}
  local before=\${cur%"\${cur##*[:=]}"}
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    if [[ $value == :files ]]; then
      compopt -o filenames 2> /dev/null
      while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "\${cur#"$before"}")
    else
      COMPREPLY+=("\${value#"$before"}")
    fi
  done < <("$command" completion --words "\${words[@]:1}" 2> /dev/null)
}
complete -F _sandbox_emulator sandbox-emulator
`,
  zsh: `#compdef sandbox-emulator
# zsh completion of sandbox-emulator
_sandbox_emulator() {
  local line value files
  local -a found
  while IFS= read -r line; do
    value=\${line%%$'\\t'*}
    if [[ $value == :files ]]; then
      files=1
    else
      found+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done < <(\${~\${(Q)words[1]}} completion --words "\${(@Q)words[2,CURRENT]}" 2> /dev/null)
  (( $#found )) && _describe -t values 'sandbox-emulator' found
  [[ -n $files ]] && _files
}
if [[ $funcstack[1] == _sandbox_emulator || $funcstack[1] == _sandbox-emulator ]]; then
  _sandbox_emulator "$@"
else
  compdef _sandbox_emulator sandbox-emulator
fi
`,
  fish: `# fish completion of sandbox-emulator
function __sandbox_emulator_complete
    set -l words (commandline -opc)
    set -l command $words[1]
    set -e words[1]
    set -l cur (commandline -ct)
    for line in ($command completion --words $words "$cur" 2> /dev/null)
        if string match -q ':files*' -- $line
            __fish_complete_path "$cur"
        else
            echo $line
        end
    end
end
complete -c sandbox-emulator -f -a '(__sandbox_emulator_complete)'
`,
};
