"""``staticpy server``: the findings in an editor, by the Language Server Protocol.

In: the texts that an editor has open. Out: diagnostics, code actions, hovers, hints and lenses. The
findings are those of ``staticpy check``. Needs the extra ``lsp``.
"""

from staticpy.server.serve import make_server, serve

__all__ = ["make_server", "serve"]
