# Bash takes hw=H100 apart at the sign and has only the last part replaced; behind hw= goes no space.
_study_completion() {
    local IFS=$'\n' current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"
    COMPREPLY=( $( env COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD _STUDY_COMPLETE=complete_bash $1 ) )
    if [[ $current == "=" || $before == "=" ]]; then
        COMPREPLY=( "${COMPREPLY[@]#*=}" )
    elif [[ ${COMPREPLY[0]} == *= ]]; then
        compopt -o nospace 2>/dev/null
    fi
    return 0
}

complete -o default -F _study_completion study
