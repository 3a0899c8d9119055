// What each shell loads to complete `tender`: a function that asks the program itself, so that it never knows less than
// the program does.

/** Stands on a line of its own where paths may be completed. */
export const FILES_LINE = ':files';

/** The word after `tender completion` by which the scripts ask. */
export const ASKED = 'candidates';

const bash = `# bash completion for tender. Load it with: source <(tender completion bash)
_tender() {
  local line typed="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == "${FILES_LINE}" ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$typed")
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <(tender completion ${ASKED} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _tender tender
`;

const zsh = `#compdef tender
# zsh completion for tender. Load it with: source <(tender completion zsh)
_tender() {
  local line
  local -a found
  while IFS= read -r line; do
    if [[ $line == "${FILES_LINE}" ]]; then
      _files
    else
      found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done < <(tender completion ${ASKED} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#found} )) && _describe 'tender' found
}
if [[ "\${funcstack[1]}" == "_tender" ]]; then
  _tender "$@"
else
  compdef _tender tender
fi
`;

const fish = `# fish completion for tender. Load it with: tender completion fish | source
function __tender_candidates
    set -l words (commandline -opc) (commandline -ct)
    for line in (tender completion ${ASKED} -- $words[2..-1] 2>/dev/null)
        if test "$line" = "${FILES_LINE}"
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c tender -f -a '(__tender_candidates)'
`;

export const shellScripts: Readonly<Record<string, string>> = { bash, zsh, fish };
