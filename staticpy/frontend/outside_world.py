"""The functions of Python's own modules that read or change the world outside of the program, or
are compilers of their own, as those of ``re``.

In: the path of a function, or the function. Out: whether it is one of them. They are refused where
they are called, and not somewhere in the modules that they are written in.
"""

from __future__ import annotations

from typing import Any

_MODULES = frozenset(
    (
        "genericpath", "getpass", "json", "logging", "multiprocessing", "ntpath", "os", "pickle",
        "posixpath", "random", "re", "secrets", "shelve", "shutil", "socket", "sqlite3", "ssl",
        "subprocess", "tempfile", "threading", "webbrowser",
    )
)  # fmt: skip
"""All of whose functions are taken for such: a call would be followed into them."""
_LEVELS = "critical debug error exception info log warning"
_NAMES = {
    "builtins": "__import__ breakpoint compile eval exec id input locals open",
    "datetime.date": "today",
    "datetime.datetime": "now today utcnow",
    "json": "dump dumps load loads",
    "logging": f"{_LEVELS} basicConfig getLogger",
    "logging.Logger": _LEVELS,
    "os": "getcwd getenv getpid listdir makedirs mkdir remove rename rmdir system unlink urandom",
    "os.environ": "copy get items keys pop setdefault update values",
    "os.path": "abspath basename dirname exists expanduser getsize isdir isfile join realpath "
    "split splitext",
    "pathlib.Path": "exists glob is_dir is_file iterdir mkdir open read_bytes read_text rename "
    "rmdir touch unlink write_bytes write_text",
    "pickle": "dump dumps load loads",
    "random": "choice choices expovariate gauss getrandbits normalvariate randint random "
    "randrange sample seed shuffle triangular uniform",
    "re": "compile escape findall finditer fullmatch match search split sub subn",
    "secrets": "choice randbelow token_bytes token_hex",
    "shutil": "copy copyfile copytree move rmtree",
    "subprocess": "call check_call check_output run",
    "sys": "exit",
    "tempfile": "mkdtemp mkstemp",
    "time": "ctime localtime monotonic monotonic_ns perf_counter perf_counter_ns process_time "
    "sleep strftime time time_ns",
    "uuid": "uuid1 uuid4",
    "warnings": "warn",
}
MADE_BY = {"logging.getLogger": "logging.Logger", "pathlib.Path": "pathlib.Path"}
"""The classes of what some calls give."""
_OBJECTS = {"os._Environ": "os.environ"}
"""The objects, by their class, all of whose methods are such functions."""
PATHS = frozenset(f"{module}.{name}" for module, names in _NAMES.items() for name in names.split())


def is_path_outside(origin: str) -> bool:
    """Whether a dotted path names such a function."""
    return origin in PATHS


def works_outside(function: Any) -> bool:
    """Whether a function that is written in Python is one."""
    module = getattr(function, "__globals__", {}).get("__name__", "")
    top = str(module).partition(".")[0]
    if top == "pathlib":  # of which class it is a method differs between versions of Python
        return f"pathlib.Path.{function.__name__}" in PATHS
    return top in _MODULES or f"{top}.{getattr(function, '__qualname__', '')}" in PATHS


def object_outside(class_: type) -> str:
    """The name of the object of the world outside that is of a class; "" if there is none."""
    return _OBJECTS.get(f"{class_.__module__}.{class_.__qualname__}", "")
