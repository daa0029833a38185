"""Networks: layers, losses and what belongs to training, as plain classes over NumPy.

In: arrays or Tensors. Out: the same. A layer is a composition of NumPy's functions that knows of no
backend: it runs in plain Python, where Tensors record it, and is compiled by ``staticpy.jit`` like
any class of the user's own.
"""

from staticpy.nn import functional, init
from staticpy.nn.activations import (
    ELU,
    GELU,
    Hardsigmoid,
    Hardswish,
    HSigmoid,
    HSwish,
    LeakyReLU,
    LogSigmoid,
    LogSoftmax,
    Mish,
    ReLU,
    ReLU6,
    SeLU,
    Sigmoid,
    SiLU,
    Softmax,
    Softplus,
    Softsign,
    Tanh,
)
from staticpy.nn.attention import MultiHeadAttention, MultiheadAttention, TransformerEncoderLayer
from staticpy.nn.basic import Dense, Embedding, Flatten, Identity
from staticpy.nn.batches import Batches, batches
from staticpy.nn.cell import Cell
from staticpy.nn.containers import CellList, Sequential, SequentialCell
from staticpy.nn.convolution import Conv1d, Conv2d, Conv2dTranspose, ConvTranspose2d
from staticpy.nn.dropout import Dropout, Dropout2d
from staticpy.nn.files import load, save
from staticpy.nn.generator import set_seed, shared_generator
from staticpy.nn.losses import (
    BCELoss,
    BCEWithLogitsLoss,
    CrossEntropyLoss,
    HuberLoss,
    KLDivLoss,
    L1Loss,
    MSELoss,
    NLLLoss,
    SmoothL1Loss,
)
from staticpy.nn.normalization import BatchNorm, BatchNorm1d, BatchNorm2d, GroupNorm, LayerNorm
from staticpy.nn.parameter import Parameter
from staticpy.nn.pooling import AvgPool1d, AvgPool2d, MaxPool1d, MaxPool2d
from staticpy.nn.recurrent import GRU, LSTM, RNN, GRUCell, LSTMCell, RNNCell

__all__ = [
    "ELU",
    "GELU",
    "GRU",
    "LSTM",
    "RNN",
    "AvgPool1d",
    "AvgPool2d",
    "BCELoss",
    "BCEWithLogitsLoss",
    "BatchNorm",
    "BatchNorm1d",
    "BatchNorm2d",
    "Batches",
    "Cell",
    "CellList",
    "Conv1d",
    "Conv2d",
    "Conv2dTranspose",
    "ConvTranspose2d",
    "CrossEntropyLoss",
    "Dense",
    "Dropout",
    "Dropout2d",
    "Embedding",
    "Flatten",
    "GRUCell",
    "GroupNorm",
    "HSigmoid",
    "HSwish",
    "Hardsigmoid",
    "Hardswish",
    "HuberLoss",
    "Identity",
    "KLDivLoss",
    "L1Loss",
    "LSTMCell",
    "LayerNorm",
    "LeakyReLU",
    "LogSigmoid",
    "LogSoftmax",
    "MSELoss",
    "MaxPool1d",
    "MaxPool2d",
    "Mish",
    "MultiHeadAttention",
    "MultiheadAttention",
    "NLLLoss",
    "Parameter",
    "RNNCell",
    "ReLU",
    "ReLU6",
    "SeLU",
    "Sequential",
    "SequentialCell",
    "SiLU",
    "Sigmoid",
    "SmoothL1Loss",
    "Softmax",
    "Softplus",
    "Softsign",
    "Tanh",
    "TransformerEncoderLayer",
    "batches",
    "functional",
    "init",
    "load",
    "save",
    "set_seed",
    "shared_generator",
]
