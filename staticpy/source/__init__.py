"""Where code comes from: text, files, functions and positions.

In: a path, a text or a live function. Out: SourceUnits, whose spans all later stages carry. The
lowest layer: it imports nothing of staticpy.
"""

from staticpy.source.collection import rare_collection
from staticpy.source.function import from_function, names_of_other
from staticpy.source.span import (
    NO_SPAN,
    OWN_FILES,
    SourceError,
    SourceSpan,
    is_of_library,
    line_span,
)
from staticpy.source.stack import has_deep_stack, recursion_limit, run_deep
from staticpy.source.storage import (
    digest,
    new_digest,
    read_stored,
    write_stored,
    write_whole,
)
from staticpy.source.text import MAX_BYTES, decode, encoding_of, normalize, read_bytes, read_text
from staticpy.source.unit import (
    FunctionNode,
    SourceFile,
    SourceUnit,
    from_file,
    from_text,
    parse_text,
    refuse_newer,
)
from staticpy.source.walk import children, descendants, fields_of

__all__ = [
    "MAX_BYTES",
    "NO_SPAN",
    "OWN_FILES",
    "FunctionNode",
    "SourceError",
    "SourceFile",
    "SourceSpan",
    "SourceUnit",
    "children",
    "decode",
    "descendants",
    "digest",
    "encoding_of",
    "fields_of",
    "from_file",
    "from_function",
    "from_text",
    "has_deep_stack",
    "is_of_library",
    "line_span",
    "names_of_other",
    "new_digest",
    "normalize",
    "parse_text",
    "rare_collection",
    "read_bytes",
    "read_stored",
    "read_text",
    "recursion_limit",
    "refuse_newer",
    "run_deep",
    "write_stored",
    "write_whole",
]
