"""Every layer and loss with inputs, and the layer of PyTorch's that it agrees with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy import nn
from tests.nn.layer_table import LAYERS, Layer, classes, ignoring, probabilities, rng

_WEIGHTS = np.array([0.5, 1.0, 2.0, 0.1])


def weights(torch: Any) -> Any:
    return torch.tensor(_WEIGHTS)


def activation(name: str, make: Callable[[], nn.Cell], theirs: Callable[[Any], Any]) -> None:
    LAYERS[name] = Layer(lambda _: make(), ((3, 5),), theirs)


def loss(
    name: str,
    make: Callable[[Any], nn.Cell],
    theirs: Callable[[Any], Any],
    logits: Any = (6, 4),
    labels: Any = (6, 4),
) -> None:
    LAYERS[name] = Layer(make, (logits, labels), theirs)


activation("relu", nn.ReLU, lambda torch: torch.nn.ReLU())
activation("relu6", nn.ReLU6, lambda torch: torch.nn.ReLU6())
activation("leaky_relu", nn.LeakyReLU, lambda torch: torch.nn.LeakyReLU(0.2))
activation("elu", nn.ELU, lambda torch: torch.nn.ELU())
activation("selu", nn.SeLU, lambda torch: torch.nn.SELU())
activation("gelu", lambda: nn.GELU(False), lambda torch: torch.nn.GELU())
activation("gelu_tanh", lambda: nn.GELU(True), lambda torch: torch.nn.GELU(approximate="tanh"))
activation("silu", nn.SiLU, lambda torch: torch.nn.SiLU())
activation("sigmoid", nn.Sigmoid, lambda torch: torch.nn.Sigmoid())
activation("log_sigmoid", nn.LogSigmoid, lambda torch: torch.nn.LogSigmoid())
activation("tanh", nn.Tanh, lambda torch: torch.nn.Tanh())
activation("softplus", nn.Softplus, lambda torch: torch.nn.Softplus())
activation("softsign", nn.Softsign, lambda torch: torch.nn.Softsign())
activation("mish", nn.Mish, lambda torch: torch.nn.Mish())
activation("hsigmoid", nn.HSigmoid, lambda torch: torch.nn.Hardsigmoid())
activation("hswish", nn.HSwish, lambda torch: torch.nn.Hardswish())
activation("softmax", nn.Softmax, lambda torch: torch.nn.Softmax(-1))
activation("log_softmax", lambda: nn.LogSoftmax(0), lambda torch: torch.nn.LogSoftmax(0))


def kinks(_: Any, dtype: Any) -> Any:
    """Where slopes jump."""
    return np.array([[-6.0, -3.0, -0.0, 0.0, 1.0, 3.0, 6.0]], dtype)


for _name in ("ReLU", "ReLU6", "ELU", "Softplus", "Softsign", "Hardsigmoid"):
    LAYERS[f"{_name.lower()}_at_kinks"] = Layer(
        lambda _, name=_name: getattr(nn, name)(),
        (kinks,),
        lambda torch, name=_name: getattr(torch.nn, name)(),
    )
LAYERS["leaky_relu_at_kinks"] = Layer(
    lambda _: nn.LeakyReLU(0.01), (kinks,), lambda torch: torch.nn.LeakyReLU()
)
LAYERS["selu_at_kinks"] = Layer(lambda _: nn.SeLU(), (kinks,), lambda torch: torch.nn.SELU())
for _name in ("L1Loss", "HuberLoss", "SmoothL1Loss"):
    LAYERS[f"{_name.lower()}_at_kinks"] = Layer(
        lambda _, name=_name: getattr(nn, name)(reduction="mean"),
        (kinks, lambda _, dtype: np.array([[-5.0, -2.0, 0.0, 0.0, 1.0, 4.0, 5.0]], dtype)),
        lambda torch, name=_name: getattr(torch.nn, name)(),
    )

LAYERS["dense"] = Layer(
    lambda dtype: nn.Dense(5, 3, dtype=dtype, rng=rng()),
    ((4, 5),),
    lambda torch: torch.nn.Linear(5, 3),
)
LAYERS["dense_of_images"] = Layer(
    lambda dtype: nn.Dense(5, 3, has_bias=False, activation="tanh", dtype=dtype, rng=rng()),
    ((2, 4, 5),),
    lambda torch: torch.nn.Sequential(torch.nn.Linear(5, 3, bias=False), torch.nn.Tanh()),
    {"weight": "0.weight"},
)
LAYERS["flatten"] = Layer(lambda _: nn.Flatten(), ((2, 3, 4),), lambda torch: torch.nn.Flatten())
LAYERS["flatten_some"] = Layer(
    lambda _: nn.Flatten(0, 1), ((2, 3, 4),), lambda torch: torch.nn.Flatten(0, 1)
)
LAYERS["sequential"] = Layer(
    lambda dtype: nn.SequentialCell(
        nn.Dense(5, 4, dtype=dtype, rng=rng()), nn.ReLU(), nn.Dense(4, 2, dtype=dtype, rng=rng())
    ),
    ((3, 5),),
    lambda torch: torch.nn.Sequential(
        torch.nn.Linear(5, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2)
    ),
)
LAYERS["embedding"] = Layer(
    lambda dtype: nn.Embedding(7, 3, dtype=dtype, rng=rng()),
    (classes(7, 4, 5),),
    lambda torch: torch.nn.Embedding(7, 3),
    {"embedding_table": "weight"},
)
LAYERS["embedding_padded"] = Layer(
    lambda dtype: nn.Embedding(7, 3, padding_idx=2, dtype=dtype, rng=rng()),
    (classes(7, 4, 5),),
    lambda torch: torch.nn.Embedding(7, 3, padding_idx=2),
    {"embedding_table": "weight"},
)

for _reduction in ("mean", "sum", "none"):
    loss(
        f"mse_{_reduction}",
        lambda _, how=_reduction: nn.MSELoss(how),
        lambda torch, how=_reduction: torch.nn.MSELoss(reduction=how),
    )
    loss(
        f"cross_entropy_{_reduction}",
        lambda dtype, how=_reduction: nn.CrossEntropyLoss(
            _WEIGHTS.astype(dtype), reduction=how, label_smoothing=0.1
        ),
        lambda torch, how=_reduction: torch.nn.CrossEntropyLoss(
            weights(torch), reduction=how, label_smoothing=0.1
        ),
        labels=ignoring(4, 6),
    )
loss("l1", lambda _: nn.L1Loss(), lambda torch: torch.nn.L1Loss())
loss("huber", lambda _: nn.HuberLoss(delta=0.7), lambda torch: torch.nn.HuberLoss(delta=0.7))
loss(
    "smooth_l1",
    lambda _: nn.SmoothL1Loss(0.5, "mean"),
    lambda torch: torch.nn.SmoothL1Loss(beta=0.5),
)
loss(
    "cross_entropy",
    lambda _: nn.CrossEntropyLoss(),
    lambda torch: torch.nn.CrossEntropyLoss(),
    labels=classes(4, 6),
)
loss(
    "cross_entropy_smoothed",
    lambda _: nn.CrossEntropyLoss(label_smoothing=0.2),
    lambda torch: torch.nn.CrossEntropyLoss(label_smoothing=0.2),
    labels=ignoring(4, 6),
)
loss(
    "cross_entropy_of_images",
    lambda dtype: nn.CrossEntropyLoss(_WEIGHTS.astype(dtype), 3, label_smoothing=0.2),
    lambda torch: torch.nn.CrossEntropyLoss(weights(torch), ignore_index=3, label_smoothing=0.2),
    (2, 4, 3, 2),
    classes(4, 2, 3, 2),
)
loss(
    "cross_entropy_of_probabilities",
    lambda dtype: nn.CrossEntropyLoss(_WEIGHTS.astype(dtype), label_smoothing=0.2),
    lambda torch: torch.nn.CrossEntropyLoss(weights(torch), label_smoothing=0.2),
    labels=probabilities(6, 4),
)
loss("nll", lambda _: nn.NLLLoss(), lambda torch: torch.nn.NLLLoss(), labels=classes(4, 6))
loss(
    "bce",
    lambda dtype: nn.BCELoss(_WEIGHTS.astype(dtype)),
    lambda torch: torch.nn.BCELoss(weights(torch)),
    probabilities(6, 4),
    probabilities(6, 4),
)
loss(
    "bce_with_logits",
    lambda _: nn.BCEWithLogitsLoss(),
    lambda torch: torch.nn.BCEWithLogitsLoss(),
    labels=probabilities(6, 4),
)
loss(
    "bce_with_logits_weighted",
    lambda dtype: nn.BCEWithLogitsLoss("sum", _WEIGHTS.astype(dtype), _WEIGHTS.astype(dtype)),
    lambda torch: torch.nn.BCEWithLogitsLoss(
        weights(torch), reduction="sum", pos_weight=weights(torch)
    ),
    labels=probabilities(6, 4),
)
loss(
    "kl_div",
    lambda _: nn.KLDivLoss("batchmean"),
    lambda torch: torch.nn.KLDivLoss(reduction="batchmean"),
    labels=probabilities(6, 4),
)


def convolution(name: str, ours: Callable[[Any], nn.Cell], theirs: Any, *shape: int) -> None:
    LAYERS[name] = Layer(ours, (shape,), theirs)


convolution(
    "conv2d",
    lambda dtype: nn.Conv2d(3, 4, 3, pad_mode="valid", has_bias=True, dtype=dtype, rng=rng()),
    lambda torch: torch.nn.Conv2d(3, 4, 3),
    *(2, 3, 6, 5),
)
convolution(
    "conv2d_same",
    lambda dtype: nn.Conv2d(3, 4, (3, 5), dilation=(2, 1), dtype=dtype, rng=rng()),
    lambda torch: torch.nn.Conv2d(3, 4, (3, 5), padding="same", dilation=(2, 1), bias=False),
    *(2, 3, 6, 5),
)
convolution(
    "conv2d_strided",
    lambda dtype: nn.Conv2d(
        4, 6, (3, 2), (2, 3), "pad", (1, 2), (1, 2), 2, True, dtype=dtype, rng=rng()
    ),
    lambda torch: torch.nn.Conv2d(4, 6, (3, 2), (2, 3), (1, 2), (1, 2), 2),
    *(2, 4, 7, 8),
)
convolution(
    "conv2d_of_each_channel",
    lambda dtype: nn.Conv2d(3, 3, 3, group=3, pad_mode="pad", padding=1, dtype=dtype, rng=rng()),
    lambda torch: torch.nn.Conv2d(3, 3, 3, padding=1, groups=3, bias=False),
    *(2, 3, 5, 5),
)
convolution(
    "conv1d",
    lambda dtype: nn.Conv1d(3, 4, 3, 2, "pad", 2, 2, 1, True, dtype=dtype, rng=rng()),
    lambda torch: torch.nn.Conv1d(3, 4, 3, 2, 2, 2),
    *(2, 3, 9),
)
convolution(
    "conv2d_transpose",
    lambda dtype: nn.Conv2dTranspose(
        3, 4, 3, 2, "pad", 1, 1, has_bias=True, dtype=dtype, rng=rng()
    ),
    lambda torch: torch.nn.ConvTranspose2d(3, 4, 3, 2, 1, 1),
    *(2, 3, 4, 5),
)
convolution(
    "conv2d_transpose_groups",
    lambda dtype: nn.Conv2dTranspose(
        4, 6, (3, 2), (1, 3), "valid", dilation=2, group=2, dtype=dtype, rng=rng()
    ),
    lambda torch: torch.nn.ConvTranspose2d(4, 6, (3, 2), (1, 3), groups=2, bias=False, dilation=2),
    *(2, 4, 4, 5),
)
convolution(
    "conv2d_transpose_cut",
    lambda dtype: nn.Conv2dTranspose(3, 2, 2, 2, "pad", 3, dtype=dtype, rng=rng()),
    lambda torch: torch.nn.ConvTranspose2d(3, 2, 2, 2, 3, bias=False),
    *(2, 3, 6, 6),
)
convolution(
    "conv2d_transpose_same",
    lambda dtype: nn.Conv2dTranspose(2, 2, 3, 2, dtype=dtype, rng=rng()),
    None,
    *(2, 2, 3, 4),
)
convolution(
    "max_pool2d",
    lambda _: nn.MaxPool2d(2, 2),
    lambda torch: torch.nn.MaxPool2d(2, 2),
    *(2, 3, 5, 6),
)
convolution(
    "max_pool2d_padded",
    lambda _: nn.MaxPool2d((3, 2), (2, 1), "pad", (1, 1), (1, 2)),
    lambda torch: torch.nn.MaxPool2d((3, 2), (2, 1), 1, (1, 2)),
    *(2, 3, 5, 6),
)
convolution(
    "conv2d_same_strided",
    lambda dtype: nn.Conv2d(3, 4, 3, (2, 3), has_bias=True, dtype=dtype, rng=rng()),
    None,
    *(2, 3, 6, 8),
)
convolution("max_pool2d_same", lambda _: nn.MaxPool2d(3, 2, "same"), None, *(2, 3, 5, 6))
convolution(
    "max_pool1d",
    lambda _: nn.MaxPool1d(3, 2, "pad", 1),
    lambda torch: torch.nn.MaxPool1d(3, 2, 1),
    *(2, 3, 8),
)
convolution(
    "avg_pool2d",
    lambda _: nn.AvgPool2d(3, 2, "pad", 1),
    lambda torch: torch.nn.AvgPool2d(3, 2, 1),
    *(2, 3, 5, 6),
)
convolution(
    "avg_pool2d_without_padding",
    lambda _: nn.AvgPool2d(3, 2, "pad", 1, count_include_pad=False),
    lambda torch: torch.nn.AvgPool2d(3, 2, 1, count_include_pad=False),
    *(2, 3, 5, 6),
)
convolution("avg_pool2d_same", lambda _: nn.AvgPool2d(2, 2, "same"), None, *(2, 3, 5, 6))
convolution(
    "avg_pool1d",
    lambda _: nn.AvgPool1d(2, 2),
    lambda torch: torch.nn.AvgPool1d(2, 2),
    *(2, 3, 8),
)

_BATCH_NORM = {
    "gamma": "weight",
    "beta": "bias",
    "moving_mean": "running_mean",
    "moving_variance": "running_var",
}
for _training in (False, True):
    _mode = "training" if _training else "inference"
    LAYERS[f"batch_norm1d_{_mode}"] = Layer(
        lambda dtype: nn.BatchNorm1d(
            3, gamma_init=_WEIGHTS[:3], moving_var_init=_WEIGHTS[1:], dtype=dtype
        ),
        ((5, 3),),
        lambda torch: torch.nn.BatchNorm1d(3),
        _BATCH_NORM,
        _training,
    )
    LAYERS[f"batch_norm1d_of_sequences_{_mode}"] = Layer(
        lambda dtype: nn.BatchNorm1d(3, affine=False, momentum=0.7, dtype=dtype),
        ((5, 3, 4),),
        lambda torch: torch.nn.BatchNorm1d(3, affine=False, momentum=0.3),
        _BATCH_NORM,
        _training,
    )
    LAYERS[f"batch_norm2d_{_mode}"] = Layer(
        lambda dtype: nn.BatchNorm2d(3, beta_init=_WEIGHTS[:3], dtype=dtype),
        ((5, 3, 2, 4),),
        lambda torch: torch.nn.BatchNorm2d(3),
        _BATCH_NORM,
        _training,
    )
LAYERS["layer_norm"] = Layer(
    lambda dtype: nn.LayerNorm(4, gamma_init=_WEIGHTS, epsilon=1e-5, dtype=dtype),
    ((3, 5, 4),),
    lambda torch: torch.nn.LayerNorm(4),
    {"gamma": "weight", "beta": "bias"},
)
LAYERS["layer_norm_of_images"] = Layer(
    lambda dtype: nn.LayerNorm((3, 4), epsilon=1e-5, dtype=dtype),
    ((2, 5, 3, 4),),
    lambda torch: torch.nn.LayerNorm((3, 4)),
    {"gamma": "weight", "beta": "bias"},
)
LAYERS["group_norm"] = Layer(
    lambda dtype: nn.GroupNorm(2, 4, gamma_init=_WEIGHTS, beta_init=_WEIGHTS, dtype=dtype),
    ((3, 4, 5, 2),),
    lambda torch: torch.nn.GroupNorm(2, 4),
    {"gamma": "weight", "beta": "bias"},
)
LAYERS["group_norm_plain"] = Layer(
    lambda dtype: nn.GroupNorm(4, 4, affine=False, dtype=dtype),
    ((3, 4, 5),),
    lambda torch: torch.nn.GroupNorm(4, 4, affine=False),
)
LAYERS["dropout2d_training"] = Layer(
    lambda dtype: nn.SequentialCell(
        nn.Conv2d(3, 4, 1, dtype=dtype, rng=rng()), nn.Dropout2d(0.3, rng())
    ),
    ((2, 3, 2, 2),),
    is_training=True,
)
LAYERS["dropout_training"] = Layer(
    lambda dtype: nn.SequentialCell(
        nn.Dense(4, 5, dtype=dtype, rng=rng()), nn.Dropout(0.3, rng()), nn.ReLU()
    ),
    ((6, 4),),
    is_training=True,
)
LAYERS["dropout"] = Layer(lambda _: nn.Dropout(0.3), ((3, 4),), lambda torch: torch.nn.Dropout(0.3))


def recurrent(name: str, ours: Any, theirs: Any, layers: int = 1, directions: int = 1) -> None:
    """Layers with all their arguments, once with zeros as state at the start and once with given
    ones.
    """
    cells = [(layer, end) for layer in range(layers) for end in ("", "_reverse")[:directions]]
    renamed = {
        f"cells_of_layers.{place}.{kind}": f"{kind}_l{layer}{end}"
        for place, (layer, end) in enumerate(cells)
        for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    }
    LAYERS[name] = Layer(ours, ((4, 2, 3),), theirs, renamed)


for _kind in ("RNN", "GRU", "LSTM"):
    recurrent(
        _kind.lower(),
        lambda dtype, kind=_kind: getattr(nn, kind)(3, 5, dtype=dtype, rng=rng()),
        lambda torch, kind=_kind: getattr(torch.nn, kind)(3, 5),
    )
    recurrent(
        f"{_kind.lower()}_deep",
        lambda dtype, kind=_kind: getattr(nn, kind)(
            3, 5, 2, batch_first=True, bidirectional=True, dtype=dtype, rng=rng()
        ),
        lambda torch, kind=_kind: getattr(torch.nn, kind)(
            3, 5, 2, batch_first=True, bidirectional=True
        ),
        2,
        2,
    )
    LAYERS[f"{_kind.lower()}_cell"] = Layer(
        lambda dtype, kind=_kind: getattr(nn, f"{kind}Cell")(3, 5, dtype=dtype, rng=rng()),
        ((2, 3),) if _kind == "LSTM" else ((2, 3), (2, 5)),
        lambda torch, kind=_kind: getattr(torch.nn, f"{kind}Cell")(3, 5),
    )
LAYERS["gru_with_state"] = Layer(
    lambda dtype: nn.GRU(3, 5, has_bias=False, dtype=dtype, rng=rng()),
    ((4, 2, 3), (1, 2, 5)),
    lambda torch: torch.nn.GRU(3, 5, bias=False),
    {f"cells_of_layers.0.{kind}": f"{kind}_l0" for kind in ("weight_ih", "weight_hh")},
)


def attended(torch: Any, batch_first: bool = False) -> Any:
    """PyTorch's layer, which gives its weights too and has its mask the other way round."""

    class Attended(torch.nn.MultiheadAttention):
        def forward(self, *given: Any) -> Any:
            query, key, value = (given * 3)[:3]
            steps = query.shape[0]
            later = torch.triu(torch.ones(steps, steps, dtype=torch.bool), 1)
            mask = later if len(given) == 1 else None
            return super().forward(query, key, value, need_weights=False, attn_mask=mask)[0]

    return Attended(6, 2, batch_first=batch_first)


class Causal(nn.MultiHeadAttention):
    def construct(self, x: Any) -> Any:
        return super().construct(x, is_causal=True)


LAYERS["attention"] = Layer(
    lambda dtype: nn.MultiHeadAttention(6, 2, batch_first=True, dtype=dtype, rng=rng()),
    ((2, 3, 6), (2, 5, 6), (2, 5, 6)),
    lambda torch: attended(torch, batch_first=True),
)
LAYERS["attention_causal"] = Layer(
    lambda dtype: Causal(6, 2, dtype=dtype, rng=rng()), ((4, 2, 6),), attended
)
for _first in (False, True):
    LAYERS[f"transformer_{'norm_first' if _first else 'norm_last'}"] = Layer(
        lambda dtype, first=_first: nn.TransformerEncoderLayer(
            6, 2, 7, 0.0, "gelu", norm_first=first, dtype=dtype, rng=rng()
        ),
        ((4, 2, 6),),
        lambda torch, first=_first: torch.nn.TransformerEncoderLayer(
            6, 2, 7, 0.0, "gelu", norm_first=first
        ),
        {
            "norm1.gamma": "norm1.weight",
            "norm1.beta": "norm1.bias",
            "norm2.gamma": "norm2.weight",
            "norm2.beta": "norm2.bias",
        },
    )
