# bash completion for hob

_hob() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} sub=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "exec shell batch check doctor help version --help --version" -- "$word"))
        return
    fi
    case $before in
        -f | --file)
            COMPREPLY=($(compgen -f -- "$word"))
            return
            ;;
        --mount)
            compopt -o nospace
            COMPREPLY=($(compgen -d -- "$word"))
            return
            ;;
        --sandbox)
            COMPREPLY=($(compgen -W "virtual local exec" -- "$word"))
            return
            ;;
        -C | --env | --timeout | --memory)
            return
            ;;
    esac
    case $sub in
        exec) COMPREPLY=($(compgen -W "--sandbox -C -f --mount --env --timeout --memory --json --diff --apply --help" -- "$word")) ;;
        shell) COMPREPLY=($(compgen -W "--sandbox -C --mount --env --memory --help" -- "$word")) ;;
        check) COMPREPLY=($(compgen -W "--json --help" -f -- "$word")) ;;
        batch | doctor | version) COMPREPLY=($(compgen -W "--help" -- "$word")) ;;
        help) COMPREPLY=($(compgen -W "exec shell batch check doctor version" -- "$word")) ;;
    esac
}

complete -F _hob hob
