/** The scripts by which shells complete `create-service`: each asks the command line itself. */
import path from 'node:path';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The shell that a person uses, by `SHELL`; bash where it is none of these. */
export function shellOf(program: string | undefined): Shell {
  const name = path.basename(program ?? '');
  return SHELLS.find((one) => one === name) ?? 'bash';
}

/** What is said of each word depends on SHELL: zsh has descriptions behind a colon. */
const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# Completes create-service in bash. To have it in every shell:
#   create-service completion bash >> ~/.bashrc
_create_service() {
  local IFS=$'\\n' word="\${COMP_WORDS[COMP_CWORD]}" found
  COMPREPLY=()
  # What bash does where nothing is found: names of files.
  case "\${COMP_WORDS[COMP_CWORD - 1]}" in --from | --cwd) return ;; esac
  found="$(SHELL=bash create-service --get-yargs-completions "\${COMP_WORDS[@]:0:COMP_CWORD + 1}")"
  COMPREPLY=($(compgen -W "$found" -- "$word"))
}
complete -o bashdefault -o default -F _create_service create-service
`,
  zsh: `#compdef create-service
# Completes create-service in zsh. To have it in every shell, behind compinit:
#   create-service completion zsh >> ~/.zshrc
_create_service() {
  case "\${words[CURRENT - 1]}" in --from | --cwd) _files; return ;; esac
  local -a found
  found=("\${(@f)$(SHELL=zsh create-service --get-yargs-completions "\${(@)words[1,CURRENT]}")}")
  if [[ -n "$found" ]]; then _describe create-service found; else _files; fi
}
if [[ "\${funcstack[1]}" = _create-service ]]; then
  _create_service "$@"
else
  compdef _create_service create-service
fi
`,
  fish: `# Completes create-service in fish. To have it in every shell:
#   create-service completion fish > ~/.config/fish/completions/create-service.fish
function __create_service
    set -l words (commandline -opc) (commandline -ct)
    SHELL=zsh create-service --get-yargs-completions $words | string replace ':' \\t
end
complete -c create-service -f -a '(__create_service)'
complete -c create-service -l from -r -F
complete -c create-service -l cwd -r -F
complete -c create-service -n '__fish_seen_subcommand_from import' -F
`,
};

/** The script for a shell; a comment in it says where it goes. */
export const completionScript = (shell: Shell): string => SCRIPTS[shell];
