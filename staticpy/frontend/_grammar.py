# Generated from grammar/staticpy.asdl by grammar/generate.py: do not edit.
"""The grammar of the language as data: what each field of each gast node may hold.

``PRODUCTIONS[type][class]`` holds the fields that may be filled, each as its name, the type of
what it holds, and a quantifier: ``""`` one, ``"?"`` may be None, ``"*"`` a list, ``"?*"`` a list
that may hold None.
"""

Field = tuple[str, str, str]

TERMINALS = frozenset(["annotation", "constant", "identifier"])

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
            ("kwonlyargs", "parameter", "*"),
            ("kw_defaults", "expr", "?*"),
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
            ("returns", "annotation", "?"),
        ),
        "Assign": (
            ("targets", "target", "*"),
            ("value", "expr", ""),
        ),
        "AnnAssign": (
            ("target", "variable", ""),
            ("annotation", "annotation", ""),
            ("value", "expr", ""),
            ("simple", "constant", ""),
        ),
        "AugAssign": (
            ("target", "place", ""),
            ("op", "operator", ""),
            ("value", "expr", ""),
        ),
        "Expr": (("value", "expr", ""),),
        "If": (
            ("test", "expr", ""),
            ("body", "stmt", "*"),
            ("orelse", "stmt", "*"),
        ),
        "While": (
            ("test", "expr", ""),
            ("body", "stmt", "*"),
        ),
        "For": (
            ("target", "target", ""),
            ("iter", "expr", ""),
            ("body", "stmt", "*"),
        ),
        "Break": (),
        "Continue": (),
        "Pass": (),
        "Return": (("value", "expr", "?"),),
        "Assert": (
            ("test", "expr", ""),
            ("msg", "expr", "?"),
        ),
    },
    "variable": {
        "Name": (
            ("id", "identifier", ""),
            ("ctx", "store", ""),
        ),
    },
    "place": {
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
    },
    "target": {
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
        "Tuple": (
            ("elts", "target", "*"),
            ("ctx", "store", ""),
        ),
        "List": (
            ("elts", "target", "*"),
            ("ctx", "store", ""),
        ),
    },
    "store": {
        "Store": (),
    },
    "expr": {
        "BoolOp": (
            ("op", "boolop", ""),
            ("values", "expr", "*"),
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
            ("args", "expr", "*"),
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
            ("elts", "expr", "*"),
            ("ctx", "load", ""),
        ),
        "List": (
            ("elts", "expr", "*"),
            ("ctx", "load", ""),
        ),
        "Dict": (
            ("keys", "expr", "*"),
            ("values", "expr", "*"),
        ),
        "Name": (
            ("id", "identifier", ""),
            ("ctx", "load", ""),
        ),
        "Constant": (
            ("value", "constant", ""),
            ("kind", "constant", "?"),
        ),
    },
    "load": {
        "Load": (),
    },
    "index": {
        "BoolOp": (
            ("op", "boolop", ""),
            ("values", "expr", "*"),
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
            ("args", "expr", "*"),
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
            ("elts", "index", "*"),
            ("ctx", "load", ""),
        ),
        "List": (
            ("elts", "expr", "*"),
            ("ctx", "load", ""),
        ),
        "Dict": (
            ("keys", "expr", "*"),
            ("values", "expr", "*"),
        ),
        "Name": (
            ("id", "identifier", ""),
            ("ctx", "load", ""),
        ),
        "Constant": (
            ("value", "constant", ""),
            ("kind", "constant", "?"),
        ),
        "Slice": (
            ("lower", "expr", "?"),
            ("upper", "expr", "?"),
            ("step", "expr", "?"),
        ),
    },
    "keyword": {
        "keyword": (
            ("arg", "identifier", ""),
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
