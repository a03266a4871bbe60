# bash completion for hob

_hob() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} sub=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "run chat session init tools models exec shell batch check commands doctor help version --help --version" -- "$word"))
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
        -C)
            [ "$sub" = exec ] || [ "$sub" = shell ] || COMPREPLY=($(compgen -d -- "$word"))
            return
            ;;
        --env)
            [ "$sub" = exec ] || [ "$sub" = shell ] || COMPREPLY=($(compgen -f -- "$word"))
            return
            ;;
        --store | --ca-file)
            COMPREPLY=($(compgen -f -- "$word"))
            return
            ;;
        --model)
            COMPREPLY=($(compgen -W "$(hob models --json 2>/dev/null | sed 's/{"id":"\([^"]*\).*/\1/')" -- "$word"))
            return
            ;;
        --timeout | --memory | --allow-url | --secret | -m | --message | --payload | --id | --session)
            return
            ;;
    esac
    case $sub in
        run | chat | tools)
            case $word in
                -*)
                    case $sub in
                        run) COMPREPLY=($(compgen -W "-C -m --payload --session --id --store --model --sandbox --env --json --help" -- "$word")) ;;
                        chat) COMPREPLY=($(compgen -W "-C --session --id --store --model --sandbox --env --json --help" -- "$word")) ;;
                        tools) COMPREPLY=($(compgen -W "-C --json --help" -- "$word")) ;;
                    esac
                    return
                    ;;
            esac
            local dir=. i names
            for ((i = 2; i < COMP_CWORD; i++)); do
                [ "${COMP_WORDS[i]}" = -C ] && dir=${COMP_WORDS[i + 1]}
            done
            names=$(cd "$dir" 2>/dev/null && ls agents .hob/agents 2>/dev/null | sed -n 's/\.md$//p'
                [ "$sub" = run ] && cd "$dir" 2>/dev/null && ls workflows .hob/workflows 2>/dev/null | sed -n 's/\.sh$//p')
            COMPREPLY=($(compgen -W "$names" -- "$word"))
            ;;
        session) COMPREPLY=($(compgen -W "list show delete export -C --store --json --help" -- "$word")) ;;
        init) COMPREPLY=($(compgen -W "--force --help" -d -- "$word")) ;;
        models) COMPREPLY=($(compgen -W "--json --help" -- "$word")) ;;
        exec) COMPREPLY=($(compgen -W "--sandbox -C -f --mount --env --timeout --memory --allow-net --allow-url --allow-private --secret --ca-file --json --diff --apply --help" -- "$word")) ;;
        shell) COMPREPLY=($(compgen -W "--sandbox -C --mount --env --memory --allow-net --allow-url --allow-private --secret --ca-file --help" -- "$word")) ;;
        check) COMPREPLY=($(compgen -W "--json --help" -f -- "$word")) ;;
        commands) COMPREPLY=($(compgen -W "--json --help $(hob commands 2>/dev/null | cut -d' ' -f1)" -- "$word")) ;;
        batch | doctor | version) COMPREPLY=($(compgen -W "--help" -- "$word")) ;;
        help) COMPREPLY=($(compgen -W "run chat session init tools models exec shell batch check commands doctor version" -- "$word")) ;;
    esac
}

complete -F _hob hob
