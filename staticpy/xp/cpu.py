"""The one device that there is: NumPy's arrays are in the memory of the CPU.

In: what the program passes as ``device=``. Out: nothing, or NumPy's exception.
"""

from __future__ import annotations

from typing import Any

CPU = "cpu"
"""The device, as NumPy's arrays name it."""


def require_cpu(device: Any) -> None:
    """Accept None and the CPU.

    Raises:
        ValueError: it is another device.
    """
    if device is not None and device != CPU:
        raise ValueError(f'Device not understood. Only "cpu" is allowed, but received: {device}')
