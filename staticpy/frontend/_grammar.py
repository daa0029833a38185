# Generated from grammar/staticpy.asdl by grammar/generate.py: do not edit.
"""The grammar of the language as data: what each field of each gast node may hold.

``PRODUCTIONS[type][class]`` holds the fields that may be filled, each as its name, the type of
what it holds, and a quantifier: ``""`` one, ``"?"`` may be None, ``"*"`` a list, ``"?*"`` a list
that may hold None.
"""

Field = tuple[str, str, str]

TERMINALS = frozenset(["annotation", "constant", "identifier"])

_EXPR: dict[str, tuple[Field, ...]] = {
    "BoolOp": (
        ("op", "boolop", ""),
        ("values", "expr", "*"),
    ),
    "NamedExpr": (
        ("target", "variable", ""),
        ("value", "expr", ""),
    ),
    "BinOp": (
        ("left", "expr", ""),
        ("op", "operator", ""),
        ("right", "expr", ""),
    ),
    "UnaryOp": (
        ("op", "unaryop", ""),
        ("operand", "expr", ""),
    ),
    "Compare": (
        ("left", "expr", ""),
        ("ops", "cmpop", "*"),
        ("comparators", "expr", "*"),
    ),
    "IfExp": (
        ("test", "expr", ""),
        ("body", "expr", ""),
        ("orelse", "expr", ""),
    ),
    "Lambda": (
        ("args", "parameters", ""),
        ("body", "expr", ""),
    ),
    "Call": (
        ("func", "expr", ""),
        ("args", "item", "*"),
        ("keywords", "keyword", "*"),
    ),
    "Attribute": (
        ("value", "expr", ""),
        ("attr", "identifier", ""),
        ("ctx", "load", ""),
    ),
    "Subscript": (
        ("value", "expr", ""),
        ("slice", "index", ""),
        ("ctx", "load", ""),
    ),
    "Tuple": (
        ("elts", "item", "*"),
        ("ctx", "load", ""),
    ),
    "List": (
        ("elts", "item", "*"),
        ("ctx", "load", ""),
    ),
    "Set": (("elts", "item", "*"),),
    "Dict": (
        ("keys", "expr", "?*"),
        ("values", "expr", "*"),
    ),
    "ListComp": (
        ("elt", "expr", ""),
        ("generators", "comprehension", "*"),
    ),
    "SetComp": (
        ("elt", "expr", ""),
        ("generators", "comprehension", "*"),
    ),
    "DictComp": (
        ("key", "expr", ""),
        ("value", "expr", ""),
        ("generators", "comprehension", "*"),
    ),
    "GeneratorExp": (
        ("elt", "expr", ""),
        ("generators", "comprehension", "*"),
    ),
    "JoinedStr": (("values", "text", "*"),),
    "Name": (
        ("id", "identifier", ""),
        ("ctx", "load", ""),
    ),
    "Constant": (
        ("value", "constant", ""),
        ("kind", "constant", "?"),
    ),
}

_PLACE: dict[str, tuple[Field, ...]] = {
    "Name": (
        ("id", "identifier", ""),
        ("ctx", "store", ""),
    ),
    "Attribute": (
        ("value", "expr", ""),
        ("attr", "identifier", ""),
        ("ctx", "store", ""),
    ),
    "Subscript": (
        ("value", "expr", ""),
        ("slice", "index", ""),
        ("ctx", "store", ""),
    ),
}

PRODUCTIONS: dict[str, dict[str, tuple[Field, ...]]] = {
    "function": {
        "FunctionDef": (
            ("name", "identifier", ""),
            ("args", "parameters", ""),
            ("body", "stmt", "*"),
            ("returns", "annotation", "?"),
        ),
        "Lambda": (
            ("args", "parameters", ""),
            ("body", "expr", ""),
        ),
    },
    "parameters": {
        "arguments": (
            ("args", "parameter", "*"),
            ("posonlyargs", "parameter", "*"),
            ("vararg", "parameter", "?"),
            ("kwonlyargs", "parameter", "*"),
            ("kw_defaults", "expr", "?*"),
            ("kwarg", "parameter", "?"),
            ("defaults", "expr", "*"),
        ),
    },
    "parameter": {
        "Name": (
            ("id", "identifier", ""),
            ("ctx", "param", ""),
            ("annotation", "annotation", "?"),
        ),
    },
    "param": {
        "Param": (),
    },
    "stmt": {
        "FunctionDef": (
            ("name", "identifier", ""),
            ("args", "parameters", ""),
            ("body", "stmt", "*"),
            ("decorator_list", "expr", "*"),
            ("returns", "annotation", "?"),
        ),
        "Assign": (
            ("targets", "target", "*"),
            ("value", "expr", ""),
        ),
        "AnnAssign": (
            ("target", "place", ""),
            ("annotation", "annotation", ""),
            ("value", "expr", "?"),
            ("simple", "constant", ""),
        ),
        "AugAssign": (
            ("target", "place", ""),
            ("op", "operator", ""),
            ("value", "expr", ""),
        ),
        "Delete": (("targets", "deleted", "*"),),
        "Expr": (("value", "effect", ""),),
        "If": (
            ("test", "expr", ""),
            ("body", "stmt", "*"),
            ("orelse", "stmt", "*"),
        ),
        "While": (
            ("test", "expr", ""),
            ("body", "stmt", "*"),
            ("orelse", "stmt", "*"),
        ),
        "For": (
            ("target", "target", ""),
            ("iter", "expr", ""),
            ("body", "stmt", "*"),
            ("orelse", "stmt", "*"),
        ),
        "Break": (),
        "Continue": (),
        "Pass": (),
        "With": (
            ("items", "withitem", "*"),
            ("body", "stmt", "*"),
        ),
        "Try": (
            ("body", "stmt", "*"),
            ("handlers", "handler", "*"),
            ("orelse", "stmt", "*"),
            ("finalbody", "stmt", "*"),
        ),
        "Raise": (
            ("exc", "expr", "?"),
            ("cause", "expr", "?"),
        ),
        "Match": (
            ("subject", "expr", ""),
            ("cases", "case", "*"),
        ),
        "Return": (("value", "expr", "?"),),
        "Assert": (
            ("test", "expr", ""),
            ("msg", "expr", "?"),
        ),
        "Global": (("names", "identifier", "*"),),
        "Nonlocal": (("names", "identifier", "*"),),
        "Import": (("names", "alias", "*"),),
        "ImportFrom": (
            ("module", "identifier", "?"),
            ("names", "alias", "*"),
            ("level", "constant", "?"),
        ),
    },
    "withitem": {
        "withitem": (
            ("context_expr", "expr", ""),
            ("optional_vars", "target", "?"),
        ),
    },
    "handler": {
        "ExceptHandler": (
            ("type", "expr", "?"),
            ("name", "variable", "?"),
            ("body", "stmt", "*"),
        ),
    },
    "alias": {
        "alias": (
            ("name", "identifier", ""),
            ("asname", "identifier", "?"),
        ),
    },
    "case": {
        "match_case": (
            ("pattern", "pattern", ""),
            ("guard", "expr", "?"),
            ("body", "stmt", "*"),
        ),
    },
    "pattern": {
        "MatchValue": (("value", "expr", ""),),
        "MatchSingleton": (("value", "constant", "?"),),
        "MatchSequence": (("patterns", "pattern", "*"),),
        "MatchMapping": (
            ("keys", "expr", "*"),
            ("patterns", "pattern", "*"),
            ("rest", "identifier", "?"),
        ),
        "MatchClass": (
            ("cls", "expr", ""),
            ("patterns", "pattern", "*"),
            ("kwd_attrs", "identifier", "*"),
            ("kwd_patterns", "pattern", "*"),
        ),
        "MatchStar": (("name", "identifier", "?"),),
        "MatchAs": (
            ("pattern", "pattern", "?"),
            ("name", "identifier", "?"),
        ),
        "MatchOr": (("patterns", "pattern", "*"),),
    },
    "variable": {
        "Name": (
            ("id", "identifier", ""),
            ("ctx", "store", ""),
        ),
    },
    "place": _PLACE,
    "target": {
        **_PLACE,
        "Tuple": (
            ("elts", "target", "*"),
            ("ctx", "store", ""),
        ),
        "List": (
            ("elts", "target", "*"),
            ("ctx", "store", ""),
        ),
        "Starred": (
            ("value", "target", ""),
            ("ctx", "store", ""),
        ),
    },
    "store": {
        "Store": (),
    },
    "deleted": {
        "Name": (
            ("id", "identifier", ""),
            ("ctx", "del", ""),
        ),
        "Attribute": (
            ("value", "expr", ""),
            ("attr", "identifier", ""),
            ("ctx", "del", ""),
        ),
        "Subscript": (
            ("value", "expr", ""),
            ("slice", "index", ""),
            ("ctx", "del", ""),
        ),
        "Tuple": (
            ("elts", "deleted", "*"),
            ("ctx", "del", ""),
        ),
        "List": (
            ("elts", "deleted", "*"),
            ("ctx", "del", ""),
        ),
    },
    "del": {
        "Del": (),
    },
    "expr": _EXPR,
    "load": {
        "Load": (),
    },
    "effect": {
        **_EXPR,
        "Yield": (("value", "expr", "?"),),
        "YieldFrom": (("value", "expr", ""),),
    },
    "item": {
        **_EXPR,
        "Starred": (
            ("value", "expr", ""),
            ("ctx", "load", ""),
        ),
    },
    "index": {
        **_EXPR,
        "Tuple": (
            ("elts", "index", "*"),
            ("ctx", "load", ""),
        ),
        "Slice": (
            ("lower", "expr", "?"),
            ("upper", "expr", "?"),
            ("step", "expr", "?"),
        ),
        "Starred": (
            ("value", "expr", ""),
            ("ctx", "load", ""),
        ),
    },
    "comprehension": {
        "comprehension": (
            ("target", "target", ""),
            ("iter", "expr", ""),
            ("ifs", "expr", "*"),
        ),
    },
    "text": {
        "FormattedValue": (
            ("value", "expr", ""),
            ("conversion", "constant", ""),
            ("format_spec", "format", "?"),
        ),
        "Constant": (
            ("value", "constant", ""),
            ("kind", "constant", "?"),
        ),
    },
    "format": {
        "JoinedStr": (("values", "text", "*"),),
    },
    "keyword": {
        "keyword": (
            ("arg", "identifier", "?"),
            ("value", "expr", ""),
        ),
    },
    "boolop": {
        "And": (),
        "Or": (),
    },
    "operator": {
        "Add": (),
        "Sub": (),
        "Mult": (),
        "MatMult": (),
        "Div": (),
        "FloorDiv": (),
        "Mod": (),
        "Pow": (),
        "LShift": (),
        "RShift": (),
        "BitOr": (),
        "BitXor": (),
        "BitAnd": (),
    },
    "unaryop": {
        "Invert": (),
        "Not": (),
        "UAdd": (),
        "USub": (),
    },
    "cmpop": {
        "Eq": (),
        "NotEq": (),
        "Lt": (),
        "LtE": (),
        "Gt": (),
        "GtE": (),
        "Is": (),
        "IsNot": (),
        "In": (),
        "NotIn": (),
    },
}
