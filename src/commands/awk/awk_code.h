/* awk_code.h -- the instructions of awk's stack machine
 *
 * `a` and `n` are the members of struct awk_code. [x] is what is on the stack, the top last. An
 * "array" operand is >= 0 for a global, < 0 for the local ~a, AWK_ON_STACK for one below the
 * subscript.
 */
#ifndef HOB_COMMANDS_AWK_AWK_CODE_H
#define HOB_COMMANDS_AWK_AWK_CODE_H

enum awk_op {
    AWK_HALT,
    AWK_INT,       /* -> [a] */
    AWK_CONST,     /* -> [constant a] */
    AWK_GET_G,     /* -> [global a] */
    AWK_GET_LIVE,  /* -> [NF, NR or FNR] */
    AWK_GET_L,     /* -> [local a] */
    AWK_FIELD,     /* -> [$a] */
    AWK_FIELD_TOP, /* [i] -> [$i] */
    AWK_GET_E,     /* [subscript] -> [element of array a] */
    AWK_SUBARRAY,  /* [subscript] -> [array that is an element of array a] */
    AWK_ARR,       /* -> [array a] */
    AWK_ARG_G,     /* -> [global a, be it unset or an array] */
    AWK_ARG_L,
    AWK_ARG_E,      /* [subscript] -> [element of array a, be it an array], n: awk_element_use */
    AWK_JOIN,       /* [n values] -> [them with SUBSEP between] */
    AWK_SET_G,      /* [v] -> [v] */
    AWK_SET_G_DROP, /* [v] -> */
    AWK_SET_L,
    AWK_SET_L_DROP,
    AWK_SET, /* lvalue n, a: [v][parts] -> [v] */
    AWK_SET_DROP,
    AWK_SET_E, /* [v][subscript] -> [v] */
    AWK_SET_E_DROP,
    AWK_ADD_G_DROP, /* global a += [v] */
    AWK_ADD_E_DROP, /* [v][subscript]: element of array a += v */
    AWK_MODIFY,     /* operator and lvalue in n, a: [v][parts] -> [result] */
    AWK_STEP_G,     /* global a: ++ or --, n is of awk_step -> [result] */
    AWK_STEP_G_DROP,
    AWK_STEP_L_DROP,
    AWK_STEP_E_DROP, /* [subscript] -> */
    AWK_STEP,        /* lvalue n >> 8, a: [parts] -> [result] */
    AWK_APPEND_G,    /* [n values] -> : global a = global a and them */
    AWK_APPEND_L,
    AWK_ADD,
    AWK_SUB,
    AWK_MUL,
    AWK_DIV,
    AWK_MOD,
    AWK_POW,
    AWK_NEG,
    AWK_TO_NUMBER,
    AWK_NOT,
    AWK_BOOL,
    AWK_LT, /* and those below; with n a jump to a when it is false, and no value */
    AWK_LE,
    AWK_EQ,
    AWK_NE,
    AWK_GT,
    AWK_GE,
    AWK_CONCAT,    /* [n values] -> [text] */
    AWK_MATCH_REC, /* -> [$0 ~ constant a], n: not */
    AWK_MATCH_RE,  /* [v] -> [v ~ constant a], n: not */
    AWK_MATCH_DYN, /* [v][regex] -> [bool], n: not */
    AWK_IN,        /* [subscript] -> [bool] */
    AWK_JUMP,
    AWK_LOOP,     /* a jump back: counts as work */
    AWK_IF_NOT,   /* [v] ->, jumps when it is false */
    AWK_IF,       /* [v] ->, jumps when it is true */
    AWK_AND_ELSE, /* [v] -> : when false [0] and a jump */
    AWK_OR_ELSE,  /* [v] -> : when true [1] and a jump */
    AWK_DROP,
    AWK_CALL,       /* function a with [n values] -> [result] */
    AWK_CALL_NAMED, /* [name][n values] -> [result] */
    AWK_RETURN,     /* [v] */
    AWK_BUILTIN,    /* number a with [n values] -> [result] */
    AWK_SUBST,      /* n: lvalue, + 256 for gsub: [regex][text][parts] -> [count] */
    AWK_GETLINE,    /* form n: [command or file][parts] -> [result]; the lvalue follows */
    AWK_LVALUE,     /* n, a: belongs to the instruction before */
    AWK_PRINT_REC,  /* print alone */
    AWK_PRINT,      /* [n values], a != AWK_TO_STDOUT: [where] -> */
    AWK_PRINTF,
    AWK_FOR_START, /* array a */
    AWK_FOR_NEXT,  /* -> [key], or a jump to a */
    AWK_FOR_END,
    AWK_DELETE,     /* [subscript] */
    AWK_DELETE_ALL, /* array a, which may be on the stack */
    AWK_GO_NEXT,
    AWK_GO_NEXTFILE,
    AWK_EXIT,      /* n: [status] */
    AWK_RANGE,     /* -> [whether range a is open] */
    AWK_RANGE_SET, /* range a = n */
    AWK_CASE,      /* [v][label] -> [v][bool] */
};

enum {
    AWK_OP_DROP = 0x8000 /* in n of AWK_MODIFY and AWK_STEP: leaves nothing */
};

#endif
